import { expect } from 'chai'
import { createAuthenticator } from '../../../harness/peers/createAuthenticator.ts'
import type { HttpAnswer } from '../accounts/openAccounts.ts'
import { openPasskeys, PAGE, type Passkeys } from './openPasskeys.ts'

const MINUTE_MS = 60_000

describe('passkeys', () => {
  let accounts: Passkeys['accounts']
  let person: Passkeys['person']
  let post: Passkeys['post']
  let enrol: Passkeys['enrol']
  let signIn: Passkeys['signIn']

  before(async () => {
    ;({ accounts, person, post, enrol, signIn } = await openPasskeys())
  })
  after(() => accounts?.close())

  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]

  describe('signing in', () => {
    it('needs no name, and its token shows that two factors were used', async () => {
      const ada = await person()
      const { authenticator } = await enrol(ada)
      const options = (await post('authentication/options')).body.options
      expect(options.allowCredentials).to.equal(undefined)
      const { status, body } = await signIn(authenticator)
      expect(status).to.equal(200)
      expect(body.data.user.id).to.equal(ada.userId)
      const claims = JSON.parse(Buffer.from(body.data.accessToken.split('.')[1], 'base64url').toString())
      expect(claims.amr).to.deep.equal(['pop', 'user', 'mfa'])
      expect(claims.auth_time).to.equal(Math.floor(accounts.time.now / 1000))
    })

    for (const [what, faults] of [
      ['another origin', { origin: 'https://evil.test' }],
      ['another relying party', { rpId: 'evil.test' }],
      ['an authenticator that verified nobody', { flags: 0x01 }],
      ['a counter that went back', { counter: 0 }],
      ['the handle of another account', { userHandle: 'AAAA' }],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { authenticator } = await enrol(await person())
        expect((await signIn(authenticator)).status).to.equal(200)
        const { body } = await post('authentication/options')
        const response = authenticator.assert(body.options, faults)
        const refused = await post('authentication/verify', undefined, { response })
        expect(outcome(refused)).to.deep.equal([401, 'UNAUTHENTICATED'])
      })
    }

    it('refuses an assertion without a user handle', async () => {
      const { authenticator } = await enrol(await person())
      const { body } = await post('authentication/options')
      const { response, ...assertion } = authenticator.assert(body.options)
      const anonymous = { ...assertion, response: { ...response, userHandle: null } }
      const refused = await post('authentication/verify', undefined, { response: anonymous })
      expect(outcome(refused)).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('refuses a replay, a late response and an unknown passkey', async () => {
      const { authenticator } = await enrol(await person())
      const ask = async () => (await post('authentication/options')).body.options
      const send = async (response: object) =>
        outcome(await post('authentication/verify', undefined, { response }))
      const response = authenticator.assert(await ask())
      expect((await send(response))[0]).to.equal(200)
      expect(await send(response)).to.deep.equal([401, 'UNAUTHENTICATED'])
      const late = authenticator.assert(await ask())
      accounts.time.now += 5 * MINUTE_MS
      expect(await send(late)).to.deep.equal([401, 'UNAUTHENTICATED'])
      const stranger = createAuthenticator(PAGE).assert(await ask(), { userHandle: 'AAAA' })
      expect(await send(stranger)).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('accepts one of two concurrent responses to a challenge from an authenticator without a counter', async () => {
      const { authenticator } = await enrol(await person())
      const { body } = await post('authentication/options')
      const response = authenticator.assert(body.options, { counter: 0 })
      const answers = await Promise.all(
        [1, 2].map(() => post('authentication/verify', undefined, { response })),
      )
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401])
    })
  })
})
