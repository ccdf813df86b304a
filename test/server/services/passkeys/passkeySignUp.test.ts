import { expect } from 'chai'
import { createAuthenticator } from '../../../harness/peers/createAuthenticator.ts'
import { mailsTo } from '../accounts/mailsTo.ts'
import type { HttpAnswer } from '../accounts/openAccounts.ts'
import { PASSWORD } from '../accounts/person.ts'
import { openPasskeys, PAGE, type Passkeys } from './openPasskeys.ts'

const MINUTE_MS = 60_000

describe('signing up with a passkey', () => {
  let accounts: Passkeys['accounts']
  let person: Passkeys['person']
  let post: Passkeys['post']
  let signIn: Passkeys['signIn']
  let people = 0

  before(async () => {
    ;({ accounts, person, post, signIn } = await openPasskeys())
  })
  after(() => accounts?.close())

  const stated = (email = `new${++people}@example.org`) =>
    ({ email, fullName: 'Grace Hopper', accountType: 'individual' }) as const
  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]
  const optionsFor = async (account: object) =>
    (await post('sign-up/options', undefined, account)).body.options
  const rows = async (email: string) => (await accounts.db.query('users').select().where({ email })).length

  async function signUp(account = stated()) {
    const authenticator = createAuthenticator(PAGE)
    const response = authenticator.register(await optionsFor(account))
    const answer = await post('sign-up/verify', undefined, { ...account, response })
    return { account, authenticator, response, answer }
  }

  async function confirm(email: string, signedUp: HttpAnswer) {
    const [mail] = await mailsTo(accounts, email, 'verify_email')
    const bearer = signedUp.body.data.accessToken
    return accounts.call('POST', '/api/auth/verify-email', { bearer, body: { token: mail?.token } })
  }

  it('opens an account without a password, with a session of two factors', async () => {
    const { account, answer } = await signUp()
    expect(answer.status).to.equal(201)
    const { user, accessToken } = answer.body.data
    expect(user).to.include({ ...account, isEmailVerified: false, role: 'user' })
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString())
    expect(claims.amr).to.deep.equal(['pop', 'user', 'mfa'])
    const me = await accounts.call('GET', '/api/me', { bearer: accessToken })
    expect([me.status, me.body.passkeyCount]).to.deep.equal([200, 1])
    const login = { email: account.email, password: PASSWORD }
    expect((await accounts.call('POST', '/api/auth/login', { body: login })).status).to.equal(401)
  })

  it('is followed by signing in with the same passkey', async () => {
    const { authenticator, answer } = await signUp()
    const again = await signIn(authenticator)
    expect([again.status, again.body.data.user.id]).to.deep.equal([200, answer.body.data.user.id])
  })

  it('mails a token that confirms the address', async () => {
    const { account, answer } = await signUp()
    expect((await confirm(account.email, answer)).status).to.equal(200)
  })

  it('lets an owner with a confirmed address set a password by e-mail, and leaves the passkey', async () => {
    const { account, authenticator, answer } = await signUp()
    await confirm(account.email, answer)
    await accounts.call('POST', '/api/auth/password/forgot', { body: { email: account.email } })
    const token = (await mailsTo(accounts, account.email, 'reset_password')).at(-1)?.token
    const reset = await accounts.call('POST', '/api/auth/password/reset', {
      body: { token, password: PASSWORD },
    })
    expect(reset.status).to.equal(200)
    const login = { email: account.email, password: PASSWORD }
    expect((await accounts.call('POST', '/api/auth/login', { body: login })).status).to.equal(200)
    expect((await signIn(authenticator)).status).to.equal(200)
  })

  it('reports the trust facts of the new account as changed', async () => {
    const { answer } = await signUp()
    expect(accounts.changed).to.include(answer.body.data.user.id)
  })

  it('refuses a taken address before a passkey is created, and afterwards', async () => {
    const taken = await person()
    const account = stated(taken.email)
    expect(outcome(await post('sign-up/options', undefined, account))).to.deep.equal([409, 'EMAIL_TAKEN'])
    const response = createAuthenticator(PAGE).register(await optionsFor(stated()))
    const late = await post('sign-up/verify', undefined, { ...account, response })
    expect(outcome(late)).to.deep.equal([409, 'EMAIL_TAKEN'])
  })

  it('uses its options once, and within five minutes', async () => {
    const { account, response } = await signUp()
    const again = { ...stated(), response }
    expect(outcome(await post('sign-up/verify', undefined, again))).to.deep.equal([403, 'PASSKEY_REJECTED'])
    expect(await rows(account.email)).to.equal(1)
    const late = stated()
    const made = createAuthenticator(PAGE).register(await optionsFor(late))
    accounts.time.now += 5 * MINUTE_MS
    const refused = await post('sign-up/verify', undefined, { ...late, response: made })
    expect(outcome(refused)).to.deep.equal([403, 'PASSKEY_REJECTED'])
    expect(await rows(late.email)).to.equal(0)
  })

  it('opens no account with a passkey that another account has', async () => {
    const { authenticator } = await signUp()
    const account = stated()
    const response = authenticator.register(await optionsFor(account))
    const refused = await post('sign-up/verify', undefined, { ...account, response })
    expect(outcome(refused)).to.deep.equal([409, 'INVALID_STATE'])
    expect(await rows(account.email)).to.equal(0)
  })

  for (const [what, faults] of [
    ['another origin', { origin: 'https://evil.test' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['an authenticator that verified nobody', { flags: 0x41 }],
    ['a frame in another site', { crossOrigin: true }],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const account = stated()
      const response = createAuthenticator(PAGE).register(await optionsFor(account), faults)
      const refused = await post('sign-up/verify', undefined, { ...account, response })
      expect(outcome(refused)).to.deep.equal([403, 'PASSKEY_REJECTED'])
      expect(await rows(account.email)).to.equal(0)
    })
  }

  it('refuses options that were issued for a sign-in', async () => {
    const { body } = await post('authentication/options')
    const options = { ...body.options, user: { id: 'AAAA' } }
    const response = createAuthenticator(PAGE).register(options)
    const refused = await post('sign-up/verify', undefined, { ...stated(), response })
    expect(outcome(refused)).to.deep.equal([403, 'PASSKEY_REJECTED'])
  })

  it('stops asking about taken addresses after ten', async () => {
    accounts.time.now += 24 * 60 * MINUTE_MS
    const taken = stated((await person()).email)
    for (let nth = 0; nth < 10; nth += 1) {
      expect((await post('sign-up/options', undefined, taken)).status).to.equal(409)
    }
    expect((await post('sign-up/options', undefined, taken)).status).to.equal(429)
    expect((await post('sign-up/options', undefined, stated())).status).to.equal(429)
  })
})
