import { expect } from 'chai'
import { ApiFailure } from '../../../../web/src/api/apiFailure.ts'
import { readFaults } from '../../../../web/src/parts/forms/readFaults.ts'

const LABELS = { name: 'Name of the agent', url: 'URL' }

const failure = (...errors: [pointer: string, message: string][]) =>
  new ApiFailure('VALIDATION_ERROR', 'The request is not valid.', {
    status: 400,
    errors: errors.map(([pointer, message]) => ({ pointer, message })),
  })

describe('what a failure says about the fields of a form', () => {
  it('is said in the words of their labels', () => {
    const { at, rest } = readFaults(
      failure(['/name', 'mixes Latin and Cyrillic letters'], ['/url', 'expected an https URL']),
      LABELS,
    )
    expect(at).to.deep.equal({
      name: 'Name of the agent mixes Latin and Cyrillic letters',
      url: 'URL: expected an https URL',
    })
    expect(rest).to.equal(null)
  })

  it('has the label as its subject only if it begins with a predicate', () => {
    for (const [message, said] of [
      ['is empty', 'URL is empty'],
      ['differs from the former one', 'URL differs from the former one'],
      ['start and end are equal', 'URL: start and end are equal'],
      ['send either of them', 'URL: send either of them'],
      ['isolated letters', 'URL: isolated letters'],
    ] as const) {
      expect(readFaults(failure(['/url', message]), LABELS).at.url).to.equal(said)
    }
  })

  it('includes what is inside a field, the first fault of each, and whole sentences as they are', () => {
    const { at } = readFaults(failure(['/url/0', 'Invalid URL'], ['/url/1', 'expected a URL']), LABELS)
    expect(at).to.deep.equal({ url: 'Invalid URL' })
  })

  it('leaves the failure to the form if it is about something else, too', () => {
    const mixed = failure(['/url', 'expected a URL'], ['/urls', 'expected a list'])
    expect(readFaults(mixed, LABELS)).to.deep.equal({ at: { url: 'URL: expected a URL' }, rest: mixed })
    const other = new ApiFailure('CONFLICT', 'Try again.')
    for (const error of [other, new Error('broken'), null]) {
      expect(readFaults(error, LABELS)).to.deep.equal({ at: {}, rest: error })
    }
  })

  it('belongs to the field that a code is about', () => {
    const taken = new ApiFailure('EMAIL_TAKEN', 'There is an account with this address.')
    expect(readFaults(taken, { email: 'E-mail' }, { EMAIL_TAKEN: 'email' })).to.deep.equal({
      at: { email: 'There is an account with this address.' },
      rest: null,
    })
  })
})
