import { expect } from 'chai'
import { mailsTo } from '../accounts/mailsTo.ts'
import { type HttpAnswer, type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { PASSWORD, register } from '../accounts/person.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS

describe('guessing passwords', () => {
  let accounts: OpenAccounts

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())

  const post = (path: string, body: object) => accounts.call('POST', path, { body })
  const logIn = (email: string, password: string) => post('/api/auth/login', { email, password })
  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]
  const retryAfter = ({ headers }: HttpAnswer) => Number(headers.get('retry-after'))
  const guess = async (email: string, times: number) => {
    for (let nth = 0; nth < times; nth += 1) {
      expect((await logIn(email, 'not the password')).status).to.equal(401)
    }
  }

  it('is locked out for twice as long each time', async () => {
    const { email } = await register(accounts, 'ada')
    for (const minutes of [15, 30, 60]) {
      await guess(email, 10)
      const refused = await logIn(email, PASSWORD)
      expect(outcome(refused)).to.deep.equal([429, 'RATE_LIMITED'])
      expect(retryAfter(refused)).to.equal(minutes * 60)
      expect(refused.headers.get('ratelimit-policy')).to.equal('"login-attempts";q=10;w=900')
      expect(refused.headers.get('ratelimit')).to.equal(`"login-attempts";r=0;t=${minutes * 60}`)
      accounts.time.now += minutes * MINUTE_MS
    }
    expect((await logIn(email, PASSWORD)).status).to.equal(200)
  })

  it('is reported to the owner once a day', async () => {
    const { email } = await register(accounts, 'bob')
    for (let nth = 0; nth < 2; nth += 1) {
      await guess(email, 10)
      await logIn(email, PASSWORD)
      await logIn(email, PASSWORD)
      accounts.time.now += HOUR_MS
    }
    expect(await mailsTo(accounts, email, 'sign_in_locked')).to.have.length(1)
    accounts.time.now += 24 * HOUR_MS
    await guess(email, 10)
    await logIn(email, PASSWORD)
    expect(await mailsTo(accounts, email, 'sign_in_locked')).to.have.length(2)
  })

  it('allows no more than ten of many concurrent attempts', async () => {
    const { email } = await register(accounts, 'cay')
    const tries = await Promise.all(Array.from({ length: 15 }, () => logIn(email, 'not the password')))
    expect(tries.filter(({ status }) => status === 401)).to.have.length(10)
  })

  it('is counted identically for an unknown address, without a mail', async () => {
    const email = 'nobody@example.org'
    await guess(email, 10)
    const refused = await logIn(email, PASSWORD)
    expect([...outcome(refused), retryAfter(refused)]).to.deep.equal([429, 'RATE_LIMITED', 900])
    expect(await mailsTo(accounts, email)).to.deep.equal([])
  })

  it('is reset by a correct password', async () => {
    const { email } = await register(accounts, 'dan')
    for (let nth = 0; nth < 3; nth += 1) {
      await guess(email, 9)
      expect((await logIn(email, PASSWORD)).status).to.equal(200)
    }
  })

  it('stores no address in the counts', async () => {
    await guess('eve@example.org', 1)
    expect(JSON.stringify(await accounts.db.query('attempts').select())).not.to.match(/eve|example|127\.0/)
  })

  it('reveals at registration which addresses have an account only ten times an hour', async () => {
    const { email } = await register(accounts, 'fay')
    const registration = { password: PASSWORD, fullName: 'Somebody', accountType: 'individual' }
    const registerAs = (address: string) => post('/api/auth/register', { ...registration, email: address })
    for (let nth = 0; nth < 10; nth += 1) {
      expect(outcome(await registerAs(email))).to.deep.equal([409, 'EMAIL_TAKEN'])
    }
    expect(outcome(await registerAs(email))).to.deep.equal([429, 'RATE_LIMITED'])
    expect(outcome(await registerAs('free@example.org'))).to.deep.equal([429, 'RATE_LIMITED'])
    accounts.time.now += HOUR_MS
    expect((await registerAs('free@example.org')).status).to.equal(201)
  })
})
