import { hasUniqueDigests } from '@svc/core/credentials/hasUniqueDigests.ts'
import { expect } from 'chai'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('hasUniqueDigests', () => {
  it('is true if members and elements are each named once, at any depth', () => {
    const payload = { _sd: ['a', 'b'], of: [{ '...': 'c' }, { _sd: ['d'] }], '...': 1, text: 'a' }
    expect(
      hasUniqueDigests(payload, [part(['s', 'name', { _sd: ['e'] }]), part(['s', [{ '...': 'f' }]])]),
    ).to.equal(true)
    expect(hasUniqueDigests({}, [])).to.equal(true)
  })

  it('is false if a digest occurs twice', () => {
    for (const [payload, ...disclosed] of [
      [{ _sd: ['a', 'a'] }],
      [{ _sd: ['a'], of: [{ '...': 'a' }] }],
      [{ of: [{ '...': 'a' }, { '...': 'a' }] }],
      [{ _sd: ['a'] }, ['s', 'name', { _sd: ['a'] }]],
      [{}, ['s', [{ '...': 'a' }]], ['t', [{ '...': 'a' }]]],
    ]) {
      expect(hasUniqueDigests(payload, disclosed.map(part)), JSON.stringify([payload, disclosed])).to.equal(
        false,
      )
    }
  })

  it('is false for unreadable disclosures, and for too many', () => {
    for (const text of ['', '=', 'W10=', part('x').concat('!'), Buffer.from('[1').toString('base64url')]) {
      expect(hasUniqueDigests({}, [text]), text).to.equal(false)
    }
    const many = Array.from({ length: 201 }, (_, nth) => part(['s', `name${nth}`, 1]))
    expect([hasUniqueDigests({}, many.slice(1)), hasUniqueDigests({}, many)]).to.deep.equal([true, false])
  })
})
