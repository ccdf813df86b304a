import { expect } from 'chai'
import { type OpenAccounts, openAccounts } from './openAccounts.ts'

const HOUR_MS = 3_600_000

describe('signing up with a password', () => {
  let accounts: OpenAccounts
  const register = async (email: string, password = 'plinth ocarina 77') => {
    const body = { email, password, fullName: 'Ada', accountType: 'individual' }
    const answer = await accounts.call('POST', '/api/auth/register', { body })
    return { ...answer, outcome: [answer.status, answer.body.code] }
  }
  const mails = async () => (await accounts.db.query('mail_outbox').select('id')).length

  before(async () => {
    accounts = await openAccounts({ signUpsPerHour: 2 })
  })
  after(() => accounts.close())

  it('mails a limited number of strangers per hour for one client address', async () => {
    expect((await register('ada@people.io', '1234567890')).status).to.equal(400)
    expect((await register('ada@people.io')).status).to.equal(201)
    expect((await register('ada+1@people.io')).status).to.equal(201)
    const refused = await register('ada+2@people.io')
    expect(refused.outcome).to.deep.equal([429, 'RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).to.equal('3600')
    expect(await mails()).to.equal(2)
    accounts.time.now += HOUR_MS
    expect((await register('ada+2@people.io')).status).to.equal(201)
    expect(await mails()).to.equal(3)
  })
})
