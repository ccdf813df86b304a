import { expect } from 'chai'
import { generateSync } from 'otplib'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Authenticator, createAuthenticator } from '../../../harness/peers/createAuthenticator.ts'
import { mailsTo } from '../accounts/mailsTo.ts'
import { APP_URL, type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { type Person, register } from '../accounts/person.ts'
import { signSiwe } from '../wallets/signSiwe.ts'

const NEXT = 'plinth ocarina 77'
const RP_ID = new URL(APP_URL).hostname

describe('an account opened with an unverified address', () => {
  let accounts: OpenAccounts
  let opener: Person
  let people = 0

  before(async () => {
    accounts = await openAccounts()
  })
  after(() => accounts.close())
  beforeEach(async () => {
    people += 1
    opener = await register(accounts, `opened${people}`)
  })

  const post = (path: string, body: object, bearer?: string) =>
    accounts.call('POST', path, { body, ...(bearer === undefined ? {} : { bearer }) })
  const me = async (bearer: string) => (await accounts.call('GET', '/api/me', { bearer })).body

  /** Sets up every kind of credential, and returns how to use each. */
  async function settleIn() {
    const { secret } = (await opener.call('POST', '/api/auth/mfa/totp')).body
    const code = generateSync({ secret, epoch: Math.floor(accounts.time.now / 1000) })
    expect((await opener.call('POST', '/api/auth/mfa/totp/confirm', { code })).status).to.equal(200)
    const wallet = privateKeyToAccount(generatePrivateKey())
    const linked = await post('/api/auth/siwe', await signSiwe(accounts, wallet), opener.accessToken)
    expect(linked.status).to.equal(200)
    const identity = {
      id: `identity${people}`,
      user_id: opener.userId,
      provider: 'google',
      issuer: 'https://accounts.google.com',
      subject: `subject${people}`,
      linked_at: accounts.time.now,
    }
    await accounts.db.query('linked_identities').insert(identity)
    const handOver = { code_hash: `hash${people}`, identity_id: identity.id }
    await accounts.db
      .query('sign_in_hand_overs')
      .insert({ ...handOver, expires_at: accounts.time.now + 60_000 })
    const organizationId = await opener.createOrganization()
    const keys = [await opener.createKey(), await opener.createKey(organizationId)]
    const authenticator = createAuthenticator({ origin: APP_URL, rpId: RP_ID })
    const { options } = (await opener.call('POST', '/api/auth/passkeys/registration/options', {})).body
    const response = authenticator.register(options)
    const made = await opener.call('POST', '/api/auth/passkeys/registration/verify', { response })
    expect(made.status).to.equal(201)
    return {
      organizationId,
      byPasskey: () => signInByPasskey(authenticator),
      byWallet: async () =>
        (await post('/api/auth/siwe', await signSiwe(accounts, wallet))).body.data.user.id as string,
      byKeys: () =>
        Promise.all(
          keys.map(
            async ({ key }) => (await accounts.call('GET', '/api/test/apiKey', { bearer: key })).status,
          ),
        ),
      identities: async () =>
        (await accounts.db.query('linked_identities').select('id').where({ user_id: opener.userId })).length,
    }
  }

  async function signInByPasskey(authenticator: Authenticator): Promise<number> {
    const { options } = (await post('/api/auth/passkeys/authentication/options', {})).body
    const response = authenticator.assert(options)
    return (await post('/api/auth/passkeys/authentication/verify', { response })).status
  }

  async function reset() {
    await post('/api/auth/password/forgot', { email: opener.email })
    const { token } = (await mailsTo(accounts, opener.email, 'reset_password')).at(-1) ?? {}
    const answer = await post('/api/auth/password/reset', { token, password: NEXT })
    expect(answer.status).to.equal(200)
  }

  const logIn = async () => (await post('/api/auth/login', { email: opener.email, password: NEXT })).body

  describe('when its password is reset by mail', () => {
    it('opens to the owner only with the new password', async () => {
      await settleIn()
      await reset()
      const { data } = await logIn()
      const own = await me(data.accessToken)
      expect(own.user.isEmailVerified).to.equal(true)
      expect(own).to.deep.include({
        wallets: [],
        passkeyCount: 0,
        totp: { isOn: false, recoveryCodesLeft: 0 },
      })
    })

    it('cannot be opened with anything set up before', async () => {
      const { byPasskey, byWallet, byKeys, identities } = await settleIn()
      expect([await byPasskey(), await byWallet(), await byKeys(), await identities()]).to.deep.equal([
        200,
        opener.userId,
        [200, 200],
        1,
      ])
      await reset()
      expect(await byPasskey()).not.to.equal(200)
      expect(await byWallet()).not.to.equal(opener.userId)
      expect([await byKeys(), await identities()]).to.deep.equal([[401, 401], 0])
      expect((await opener.call('GET', '/api/me')).status).to.equal(401)
    })

    it('keeps its resources', async () => {
      const { organizationId } = await settleIn()
      await reset()
      const { items } = (
        await accounts.call('GET', '/api/organizations', { bearer: (await logIn()).data.accessToken })
      ).body
      expect(items.map((one: { organizationId: string }) => one.organizationId)).to.deep.equal([
        organizationId,
      ])
    })

    it('loses its verified identity and pending verification', async () => {
      await accounts.db
        .query('users')
        .update({ kyd_verified_at: accounts.time.now })
        .where({ id: opener.userId })
      await accounts.db.query('kyd_cases').insert({
        id: `case${people}`,
        user_id: opener.userId,
        status: 'pending',
        submitted_at: accounts.time.now,
      })
      await reset()
      const { user, kyd } = await me((await logIn()).data.accessToken)
      expect([user.kydStatus, kyd.status]).to.deep.equal(['none', 'rejected'])
    })

    it('notifies the owner of what was removed', async () => {
      await reset()
      const rows = await accounts.db
        .query('mail_outbox')
        .select('data')
        .where({ recipient: opener.email, template: 'password_changed' })
      expect(rows.map(({ data }) => JSON.parse(data).isFirstProof)).to.deep.equal([true])
    })

    it('gets no passkey, wallet, app or key from a concurrent request', async () => {
      const authenticator = createAuthenticator({ origin: APP_URL, rpId: RP_ID })
      const { options } = (await opener.call('POST', '/api/auth/passkeys/registration/options', {})).body
      const response = authenticator.register(options)
      // The border has the session cached; the transaction sees that it has ended.
      await accounts.db
        .query('sessions')
        .update({ ended_at: accounts.time.now })
        .where({ user_id: opener.userId })
      const wallet = privateKeyToAccount(generatePrivateKey())
      const late = [
        await opener.call('POST', '/api/auth/passkeys/registration/verify', { response }),
        await opener.call('POST', '/api/auth/siwe', await signSiwe(accounts, wallet)),
        await opener.call('POST', '/api/auth/mfa/totp'),
        await opener.call('POST', '/api/api-keys', { name: 'late' }),
      ]
      expect(late.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401])
    })

    it('loses nothing if the address was verified before', async () => {
      await opener.verifyEmail()
      const { byPasskey, byWallet, byKeys, identities } = await settleIn()
      await reset()
      expect((await logIn()).mfaRequired).to.equal(true)
      expect([await byPasskey(), await byWallet(), await byKeys(), await identities()]).to.deep.equal([
        200,
        opener.userId,
        [200, 200],
        1,
      ])
    })
  })

  it('is not proven by the owner of the address who follows the link in the mail, and is then taken over', async () => {
    const { byPasskey, byWallet, byKeys, identities } = await settleIn()
    const token = (await mailsTo(accounts, opener.email, 'verify_email')).at(-1)?.token
    expect((await post('/api/auth/verify-email', { token })).status).to.equal(401)
    await reset()
    expect(await byPasskey()).not.to.equal(200)
    expect(await byWallet()).not.to.equal(opener.userId)
    expect([await byKeys(), await identities()]).to.deep.equal([[401, 401], 0])
  })

  it('loses nothing when its creator sets it up and then verifies the address', async () => {
    const { byPasskey, byWallet, byKeys, identities } = await settleIn()
    await opener.verifyEmail()
    expect((await me(opener.accessToken)).user.isEmailVerified).to.equal(true)
    expect([await byPasskey(), await byWallet(), await byKeys(), await identities()]).to.deep.equal([
      200,
      opener.userId,
      [200, 200],
      1,
    ])
  })
})
