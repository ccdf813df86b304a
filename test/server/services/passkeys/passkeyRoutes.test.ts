import { expect } from 'chai'
import { createAuthenticator } from '../../../harness/peers/createAuthenticator.ts'
import { mailsTo } from '../accounts/mailsTo.ts'
import { APP_URL, type HttpAnswer } from '../accounts/openAccounts.ts'
import { PASSWORD } from '../accounts/person.ts'
import { openPasskeys, PAGE, PASSKEYS, type Passkeys } from './openPasskeys.ts'

const MINUTE_MS = 60_000

describe('passkeys', () => {
  let accounts: Passkeys['accounts']
  let person: Passkeys['person']
  let post: Passkeys['post']
  let enrol: Passkeys['enrol']
  let elevate: Passkeys['elevate']
  let signIn: Passkeys['signIn']

  before(async () => {
    ;({ accounts, person, post, enrol, elevate, signIn } = await openPasskeys())
  })
  after(() => accounts?.close())

  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]

  describe('registration', () => {
    it('requests a discoverable credential with user verification, under the host of the dashboard', async () => {
      const ada = await person()
      const { status, body } = await post('registration/options', ada.accessToken)
      expect(status).to.equal(200)
      expect(body.options.rp.id).to.equal(PAGE.rpId)
      expect(body.options.attestation).to.equal('none')
      expect(body.options.authenticatorSelection).to.include({
        residentKey: 'required',
        userVerification: 'required',
      })
      expect(body.options.user).to.include({ name: ada.email, displayName: 'The person person1' })
    })

    it('is reported to the owner by mail, including the first', async () => {
      const ada = await person()
      await enrol(ada)
      const [mail] = await mailsTo(accounts, ada.email, 'sign_in_added')
      expect(mail?.link).to.equal(`${APP_URL}/account`)
    })

    it('lists the new passkey, and invalidates the caches of the trust score', async () => {
      const ada = await person()
      const { id } = await enrol(ada)
      const { body } = await ada.call('GET', PASSKEYS)
      expect(body).to.include({ success: true, nextCursor: null, hasMore: false })
      expect(body.items).to.deep.equal([
        {
          id,
          name: 'laptop',
          deviceType: 'singleDevice',
          isBackedUp: false,
          createdAt: new Date(accounts.time.now).toISOString(),
          lastUsedAt: null,
        },
      ])
      expect(accounts.changed).to.include(ada.userId)
    })

    for (const [what, faults] of [
      ['another origin', { origin: 'https://evil.test' }],
      ['another relying party', { rpId: 'evil.test' }],
      ['a frame of another site', { crossOrigin: true }],
      ['an authenticator that verified nobody', { flags: 0x41 }],
      ['the answer to an assertion', { type: 'webauthn.get' }],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const ada = await person()
        const { body } = await post('registration/options', ada.accessToken)
        const response = createAuthenticator(PAGE).register(body.options, faults)
        const refused = await post('registration/verify', ada.accessToken, { response })
        expect(outcome(refused)).to.deep.equal([403, 'PASSKEY_REJECTED'])
        expect((await ada.call('GET', PASSKEYS)).body.items).to.deep.equal([])
      })
    }

    it('accepts a challenge once, within five minutes, in its session', async () => {
      const ada = await person()
      const eve = await person()
      const ask = async () => (await post('registration/options', ada.accessToken)).body.options
      const send = async (bearer: string, response: object) =>
        (await post('registration/verify', bearer, { response })).body.code

      const used = createAuthenticator(PAGE).register(await ask(), { origin: 'https://evil.test' })
      expect(await send(ada.accessToken, used)).to.equal('PASSKEY_REJECTED')
      const options = await ask()
      const stolen = createAuthenticator(PAGE).register(options)
      expect(await send(eve.accessToken, stolen)).to.equal('PASSKEY_REJECTED')
      const authenticator = createAuthenticator(PAGE)
      const late = authenticator.register(await ask())
      accounts.time.now += 5 * MINUTE_MS
      expect(await send(ada.accessToken, late)).to.equal('PASSKEY_REJECTED')
      const unasked = authenticator.register({ ...options, challenge: 'AAAA' })
      expect(await send(ada.accessToken, unasked)).to.equal('PASSKEY_REJECTED')
    })

    it('keeps the newest five challenges of a session', async () => {
      const ada = await person()
      const asked: { challenge: string; user: { id: string } }[] = []
      for (let i = 0; i < 6; i += 1) {
        asked.push((await post('registration/options', ada.accessToken)).body.options)
        accounts.time.now += 1
      }
      const send = async (options: (typeof asked)[number] | undefined) =>
        options &&
        (
          await post('registration/verify', ada.accessToken, {
            response: createAuthenticator(PAGE).register(options),
          })
        ).status
      expect(await send(asked[0])).to.equal(403)
      expect(await send(asked[1])).to.equal(201)
    })

    it('requires a fresh passkey for the second one, at both steps', async () => {
      const ada = await person()
      const early = (await post('registration/options', ada.accessToken)).body.options
      const { authenticator } = await enrol(ada)
      expect(outcome(await post('registration/options', ada.accessToken))).to.deep.equal([
        403,
        'ELEVATION_REQUIRED',
      ])
      const response = createAuthenticator(PAGE).register(early)
      expect(outcome(await post('registration/verify', ada.accessToken, { response }))).to.deep.equal([
        403,
        'ELEVATION_REQUIRED',
      ])
      await enrol(ada, await elevate(ada.accessToken, authenticator))
      expect((await ada.call('GET', PASSKEYS)).body.items).to.have.length(2)
    })

    it('registers each credential once', async () => {
      const ada = await person()
      const eve = await person()
      const { authenticator } = await enrol(ada)
      const { body } = await post('registration/options', eve.accessToken)
      const response = authenticator.register(body.options)
      expect(outcome(await post('registration/verify', eve.accessToken, { response }))).to.deep.equal([
        409,
        'INVALID_STATE',
      ])
    })

    it('rejects an invalid response, and callers who are not signed in', async () => {
      const ada = await person()
      for (const response of [undefined, {}, { id: '!' }]) {
        const refused = await post('registration/verify', ada.accessToken, { response })
        expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
      }
      expect(outcome(await post('registration/options'))).to.deep.equal([401, 'UNAUTHENTICATED'])
      const { key } = await ada.createKey()
      expect(outcome(await post('registration/options', key))).to.deep.equal([403, 'SESSION_REQUIRED'])
    })
  })

  describe('elevation', () => {
    it('has no options for an account without a passkey', async () => {
      const ada = await person()
      expect(outcome(await post('authentication/options', ada.accessToken))).to.deep.equal([
        409,
        'INVALID_STATE',
      ])
    })

    it('refuses another account’s passkey and an assertion for signing in', async () => {
      const ada = await person()
      const { authenticator } = await enrol(ada)
      const eve = await enrol(await person())
      const ask = async () => (await post('authentication/options', ada.accessToken)).body.options
      const send = async (response: object) =>
        outcome(await post('authentication/verify', ada.accessToken, { response }))
      expect(await send(eve.authenticator.assert(await ask()))).to.deep.equal([403, 'PASSKEY_REJECTED'])
      const forSignIn = (await post('authentication/options')).body.options
      expect(await send(authenticator.assert(forSignIn))).to.deep.equal([403, 'PASSKEY_REJECTED'])
    })

    /** The use of the token: adding a second passkey. */
    const isRaised = async (bearer: string, elevation: string) =>
      (await post('registration/options', bearer, {}, elevation)).status === 200

    it('is valid for five minutes, in its session only', async () => {
      const ada = await person()
      const { authenticator } = await enrol(ada)
      const elevation = await elevate(ada.accessToken, authenticator)
      const other = await accounts.call('POST', '/api/auth/login', {
        body: { email: ada.email, password: PASSWORD },
      })
      const eve = await person()
      await enrol(eve)
      expect(await isRaised(ada.accessToken, elevation)).to.equal(true)
      expect(await isRaised(other.body.data.accessToken, elevation)).to.equal(false)
      expect(await isRaised(eve.accessToken, elevation)).to.equal(false)
      expect(await isRaised(ada.accessToken, ada.accessToken)).to.equal(false)
      accounts.time.now += 5 * MINUTE_MS - 1000
      expect(await isRaised(ada.accessToken, elevation)).to.equal(true)
      accounts.time.now += 2000
      expect(await isRaised(ada.accessToken, elevation)).to.equal(false)
    })

    it('token is refused with 401 as an access token', async () => {
      const ada = await person()
      const { authenticator } = await enrol(ada)
      const bearer = await elevate(ada.accessToken, authenticator)
      expect(outcome(await accounts.call('GET', '/api/me', { bearer }))).to.deep.equal([
        401,
        'UNAUTHENTICATED',
      ])
    })
  })

  describe('deletion', () => {
    const remove = (bearer: string, id: string, elevation?: string) =>
      accounts.call('DELETE', `${PASSKEYS}/${id}`, {
        bearer,
        ...(elevation === undefined ? {} : { headers: { 'X-Svc-Elevation': elevation } }),
      })

    it('requires a fresh passkey, and can remove the last one', async () => {
      const ada = await person()
      const { authenticator, id } = await enrol(ada)
      expect(outcome(await remove(ada.accessToken, id))).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      const elevation = await elevate(ada.accessToken, authenticator)
      expect((await remove(ada.accessToken, id, elevation)).body).to.deep.equal({ success: true, id })
      expect((await ada.call('GET', PASSKEYS)).body.items).to.deep.equal([])
      expect((await signIn(authenticator)).status).to.equal(401)
      expect(accounts.changed.filter((userId) => userId === ada.userId)).to.have.length(2)
      await enrol(ada)
    })

    it('is allowed within five minutes of a two-factor sign-in', async () => {
      const ada = await person()
      const { authenticator } = await enrol(ada)
      const lost = await enrol(ada, await elevate(ada.accessToken, authenticator))
      const { accessToken } = (await signIn(authenticator)).body.data
      accounts.time.now += 5 * MINUTE_MS + 1
      expect(outcome(await remove(accessToken, lost.id))).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      const again = (await signIn(authenticator)).body.data
      expect((await remove(again.accessToken, lost.id)).status).to.equal(200)
    })

    it('ends the other sessions opened with a passkey, not the one that requests it, and notifies the owner', async () => {
      const ada = await person()
      const { authenticator } = await enrol(ada)
      const stolen = await enrol(ada, await elevate(ada.accessToken, authenticator))
      const thief = (await signIn(stolen.authenticator)).body.data.accessToken
      const own = (await signIn(authenticator)).body.data.accessToken
      expect((await remove(own, stolen.id)).status).to.equal(200)
      const alive = [thief, own, ada.accessToken].map(
        async (bearer) => (await accounts.call('GET', '/api/me', { bearer })).status,
      )
      expect(await Promise.all(alive)).to.deep.equal([401, 200, 200])
      const [mail, ...others] = await mailsTo(accounts, ada.email, 'passkey_removed')
      expect([mail?.link, others]).to.deep.equal([`${APP_URL}/account`, []])
    })

    it('ends the elevation that the passkey gave to any session', async () => {
      const ada = await person()
      const { authenticator } = await enrol(ada)
      const stolen = await enrol(ada, await elevate(ada.accessToken, authenticator))
      const elevation = await elevate(ada.accessToken, stolen.authenticator)
      const { accessToken } = (await signIn(authenticator)).body.data
      expect((await remove(accessToken, stolen.id)).status).to.equal(200)
      expect(outcome(await post('registration/options', ada.accessToken, {}, elevation))).to.deep.equal([
        403,
        'ELEVATION_REQUIRED',
      ])
    })

    it('finds no passkey of another account', async () => {
      const ada = await person()
      const eve = await person()
      const { id } = await enrol(ada)
      const { authenticator } = await enrol(eve)
      const elevation = await elevate(eve.accessToken, authenticator)
      expect(outcome(await remove(eve.accessToken, id, elevation))).to.deep.equal([404, 'NOT_FOUND'])
      expect((await ada.call('GET', PASSKEYS)).body.items).to.have.length(1)
    })
  })
})
