import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { mailsTo } from '../accounts/mailsTo.ts'
import { APP_URL, type HttpAnswer, type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { PASSWORD, type Person, register } from '../accounts/person.ts'

const HOUR_MS = 60 * 60 * 1000

describe('the e-mail address of an account', () => {
  let accounts: OpenAccounts
  let person: Person
  let people = 0

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())
  beforeEach(async () => {
    people += 1
    accounts.changed.length = 0
    person = await register(accounts, `person${people}`)
  })

  const verify = (token: unknown, by = person) => by.call('POST', '/api/auth/verify-email', { token })
  const resend = () => person.call('POST', '/api/auth/verify-email/resend')
  const mails = () => mailsTo(accounts, person.email, 'verify_email')
  const lastToken = async () => (await mails()).at(-1)?.token ?? ''
  const isVerified = async () => (await person.call('GET', '/api/me')).body.user.isEmailVerified
  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]

  it('is unverified until the mailed token is returned, and counts in the trust score from then on', async () => {
    expect(await isVerified()).to.equal(false)
    const { status, body } = await verify(await lastToken())
    expect([status, body]).to.deep.equal([200, { success: true }])
    expect(await isVerified()).to.equal(true)
    expect(accounts.changed).to.deep.equal([person.userId])
  })

  it('gets one link to the dashboard, at registration', async () => {
    const [mail, ...others] = await mails()
    expect(others).to.deep.equal([])
    expect(mail?.link).to.equal(`${APP_URL}/verify-email?token=${mail?.token}`)
  })

  it('is verified once per token', async () => {
    const token = await lastToken()
    await verify(token)
    expect(outcome(await verify(token))).to.deep.equal([400, 'INVALID_TOKEN'])
  })

  it('is verified by one of two concurrent uses', async () => {
    const token = await lastToken()
    const answers = await Promise.all([verify(token), verify(token)])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400])
  })

  it('can be verified within 24 hours', async () => {
    const token = await lastToken()
    accounts.time.now += 24 * HOUR_MS
    const login = { email: person.email, password: PASSWORD }
    const bearer = (await accounts.call('POST', '/api/auth/login', { body: login })).body.data.accessToken
    const late = await accounts.call('POST', '/api/auth/verify-email', { bearer, body: { token } })
    expect(outcome(late)).to.deep.equal([400, 'INVALID_TOKEN'])
  })

  it('is not verified without a session, because whoever follows the link may not have opened the account', async () => {
    const token = await lastToken()
    const refused = await accounts.call('POST', '/api/auth/verify-email', { body: { token } })
    expect(outcome(refused)).to.deep.equal([401, 'UNAUTHENTICATED'])
    expect(await isVerified()).to.equal(false)
    expect((await verify(token)).status).to.equal(200)
  })

  it('is not verified in a session of another account, which leaves the token valid', async () => {
    const token = await lastToken()
    const other = await register(accounts, `other${people}`)
    expect(outcome(await verify(token, other))).to.deep.equal([409, 'INVALID_STATE'])
    expect(await isVerified()).to.equal(false)
    expect((await verify(token)).status).to.equal(200)
  })

  it('has one valid token: a new one replaces the first', async () => {
    const first = await lastToken()
    expect(outcome(await resend())).to.deep.equal([202, undefined])
    const second = await lastToken()
    expect(second).not.to.equal(first)
    expect(outcome(await verify(first))).to.deep.equal([400, 'INVALID_TOKEN'])
    expect((await verify(second)).status).to.equal(200)
  })

  it('is not verified by a token that was mailed for another purpose', async () => {
    await accounts.call('POST', '/api/auth/password/forgot', { body: { email: person.email } })
    const [reset] = await mailsTo(accounts, person.email, 'reset_password')
    expect(outcome(await verify(reset?.token))).to.deep.equal([400, 'INVALID_TOKEN'])
  })

  it('gets no further token once verified', async () => {
    await verify(await lastToken())
    expect(outcome(await resend())).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('gets five further tokens an hour', async () => {
    for (let nth = 0; nth < 5; nth += 1) expect((await resend()).status).to.equal(202)
    const refused = await resend()
    expect(outcome(refused)).to.deep.equal([429, 'RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).to.equal('3600')
  })

  for (const token of ['unknown', undefined, 7, 'x'.repeat(201)]) {
    it(`is not verified by ${typeof token === 'string' ? token.slice(0, 10) : token}`, async () => {
      const code = token === 'unknown' ? 'INVALID_TOKEN' : 'VALIDATION_ERROR'
      expect(outcome(await verify(token))).to.deep.equal([400, code])
    })
  }

  it('stores no token except its hash and the pending mail', async () => {
    const token = await lastToken()
    const rows = await accounts.db.query('mailed_tokens').select().where({ email: person.email })
    expect(rows.map((row) => row.token_hash)).to.deep.equal([sha256Hex(token)])
    expect(JSON.stringify(rows)).not.to.include(token)
  })
})
