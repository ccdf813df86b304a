import { expect } from 'chai'
import { apiError } from '../../../../server/errors.ts'
import { describeFailure } from '../../../../server/services/relayer/describeFailure.ts'

const SECRET = 'select "network" from "relayer_intents" - could not extend file'

describe('what the health says of a failure of the relayer', () => {
  const database = 'the database does not serve the relayer; the log has the cause'

  for (const code of ['53100', '25006', '42P01', 'XX000', 'SQLITE_FULL']) {
    it(`contains no statement for a failure of the database, ${code}`, () => {
      expect(describeFailure(Object.assign(new Error(SECRET), { code }))).to.equal(database)
    })
  }
  it('contains no statement if the database did not answer', () => {
    expect(describeFailure(apiError('SERVICE_UNAVAILABLE', { detail: SECRET }))).to.equal(database)
  })

  it('is what the chain answered, or what else went wrong', () => {
    expect(describeFailure(apiError('CHAIN_UNAVAILABLE', { detail: 'no route' }))).to.equal('no route')
    expect(describeFailure(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).to.equal(
      'write EPIPE',
    )
    expect(describeFailure('text')).to.equal('text')
  })
})
