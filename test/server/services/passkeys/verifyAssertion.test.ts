import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createPasskeyCeremonies } from '../../../../server/external/passkeyCeremonies.ts'
import {
  createAssertionOptions,
  verifyAssertion,
} from '../../../../server/services/passkeys/checkAssertion.ts'
import { createPasskeyStore } from '../../../../server/store/accounts/passkeyStore.ts'
import { createUserStore } from '../../../../server/store/accounts/userStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import { createAuthenticator } from '../../../harness/peers/createAuthenticator.ts'
import { alterEachByte } from '../../../harness/values/alterEachByte.ts'

const PAGE = { origin: 'https://app.svc.test', rpId: 'app.svc.test' }
const UP = 0x01
const UV = 0x04

describe('an assertion over a given challenge', () => {
  const ceremonies = createPasskeyCeremonies({ appUrl: 'https://app.svc.test/dashboard' })
  let database: TemporaryDatabase
  let people = 0

  before(async () => {
    database = await openTemporaryDatabase()
  })
  after(() => database.remove())

  /** A user with one passkey, and functions to use it. */
  async function enrolled() {
    const { query, transaction } = database.db
    const passkeys = createPasskeyStore(query)
    const deps = { ceremonies, passkeys, transaction }
    people += 1
    const userId = `user-${people}`
    const user = {
      id: userId,
      developerId: `SVCD-${people}`,
      email: null,
      emailVerifiedAt: null,
      fullName: null,
      accountType: 'individual' as const,
      role: 'user' as const,
      kydVerifiedAt: null,
      createdAt: 1,
    }
    await transaction((trx) => createUserStore(query).insert(trx, user, null))
    const authenticator = createAuthenticator(PAGE)
    const challenge = randomBytes(32)
    const options = await ceremonies.registrationOptions({
      user: { id: userId, name: 'ada', displayName: 'Ada' },
      challenge,
      registered: [],
    })
    const made = await ceremonies.verifyRegistration({ response: authenticator.register(options), challenge })
    if (!made.ok) throw new Error(made.reason)
    const passkey = {
      ...made.facts,
      id: `key-${people}`,
      userId,
      name: 'laptop',
      createdAt: 1,
      lastUsedAt: null,
    }
    await transaction((trx) => passkeys.insert(trx, passkey))
    return {
      userId,
      authenticator,
      stored: () => passkeys.byCredentialId(authenticator.credentialId),
      async options(expected: Uint8Array) {
        const found = await createAssertionOptions(deps, { userId, challenge: expected })
        if (!found) throw new Error('no passkey')
        return found
      },
      verify: (
        response: ReturnType<typeof authenticator.assert>,
        expectedChallenge: Uint8Array,
        of = userId,
      ) =>
        verifyAssertion(deps, { userId: of, response, expectedChallenge, now: 1000 }).then(
          (used) => used.id,
          (error) => [error.status, error.code],
        ),
    }
  }

  const REJECTED = [403, 'PASSKEY_REJECTED']

  it('identifies the passkey and stores its counter and its use', async () => {
    const ada = await enrolled()
    const challenge = randomBytes(32)
    const options = await ada.options(challenge)
    expect(options).to.deep.include({ rpId: 'app.svc.test', userVerification: 'required' })
    expect(options.allowCredentials?.map(({ id }) => id)).to.deep.equal([ada.authenticator.credentialId])
    expect(await ada.verify(ada.authenticator.assert(options), challenge)).to.match(/^key-/)
    expect(await ada.stored()).to.include({ counter: 1, lastUsedAt: 1000 })
  })

  it('stores the host of a passkey, also of one from before hosts were stored, and lists other hosts', async () => {
    const { query } = database.db
    const passkeys = createPasskeyStore(query)
    const [ada, bob, eve] = [await enrolled(), await enrolled(), await enrolled()]
    expect(await ada.stored()).to.include({ rpId: 'app.svc.test' })
    await query('passkeys').where({ user_id: ada.userId }).update({ rp_id: null })
    for (const { userId } of [bob, eve])
      await query('passkeys').where({ user_id: userId }).update({ rp_id: 'former.test' })
    expect(await passkeys.otherHosts('app.svc.test')).to.deep.equal(['former.test'])
    const challenge = randomBytes(32)
    await ada.verify(ada.authenticator.assert(await ada.options(challenge)), challenge)
    expect(await ada.stored()).to.include({ rpId: 'app.svc.test' })
  })

  it('has no options for a user without a passkey', async () => {
    const deps = { ceremonies, passkeys: createPasskeyStore(database.db.query) }
    expect(await createAssertionOptions(deps, { userId: 'nobody', challenge: randomBytes(32) })).to.equal(
      null,
    )
  })

  for (const [what, faults] of [
    ['of another origin', { origin: 'https://svc.test' }],
    ['of another port of the origin', { origin: 'https://app.svc.test:8443' }],
    ['given in a frame of another site', { crossOrigin: true }],
    ['for another relying party', { rpId: 'svc.test' }],
    ['over another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['that is a registration', { type: 'webauthn.create' }],
    ['without user verification', { flags: UP }],
    ['without the user present', { flags: UV }],
    ['that names another account', { userHandle: Buffer.from('user-0').toString('base64url') }],
  ] as const) {
    it(`is refused if it is one ${what}`, async () => {
      const ada = await enrolled()
      const challenge = randomBytes(32)
      const response = ada.authenticator.assert(await ada.options(challenge), faults)
      expect(await ada.verify(response, challenge)).to.deep.equal(REJECTED)
      expect(await ada.stored()).to.include({ counter: 0, lastUsedAt: null })
    })
  }

  for (const part of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
    it(`is refused if a bit of any byte of its ${part} is flipped`, async () => {
      const ada = await enrolled()
      const challenge = randomBytes(32)
      const response = ada.authenticator.assert(await ada.options(challenge))
      const altered = alterEachByte(Buffer.from(response.response[part], 'base64url'))
      for (const [at, bytes] of altered.entries()) {
        const parts = { ...response.response, [part]: bytes.toString('base64url') }
        const outcome = await ada.verify({ ...response, response: parts }, challenge)
        expect(outcome, `byte ${at}`).to.deep.equal(REJECTED)
      }
      reportFaultFigure(
        `passkey, one bit flipped in each of the ${altered.length} bytes of its ${part}: 0 accepted`,
      )
    })
  }

  it('is refused if it belongs to another account', async () => {
    const ada = await enrolled()
    const eve = await enrolled()
    const challenge = randomBytes(32)
    const response = eve.authenticator.assert(await ada.options(challenge))
    expect(await ada.verify(response, challenge)).to.deep.equal(REJECTED)
    expect(await ada.verify(response, challenge, 'nobody')).to.deep.equal(REJECTED)
  })

  it('is refused if the credential is unknown', async () => {
    const ada = await enrolled()
    const challenge = randomBytes(32)
    const stranger = createAuthenticator(PAGE)
    expect(await ada.verify(stranger.assert(await ada.options(challenge)), challenge)).to.deep.equal(REJECTED)
  })

  it('is refused if the counter does not increase, as with a copied authenticator', async () => {
    const ada = await enrolled()
    const challenge = randomBytes(32)
    const options = await ada.options(challenge)
    expect(await ada.verify(ada.authenticator.assert(options, { counter: 7 }), challenge)).to.be.a('string')
    for (const counter of [7, 6, 0]) {
      const response = ada.authenticator.assert(options, { counter })
      expect(await ada.verify(response, challenge)).to.deep.equal(REJECTED)
    }
    expect(await ada.stored()).to.include({ counter: 7 })
  })

  it('is accepted once if eight concurrent ones have the same counter', async () => {
    const ada = await enrolled()
    const challenge = randomBytes(32)
    const response = ada.authenticator.assert(await ada.options(challenge))
    const answers = await Promise.all(Array.from({ length: 8 }, () => ada.verify(response, challenge)))
    expect(answers.filter((answer) => typeof answer === 'string')).to.have.length(1)
  })

  it('is accepted from an authenticator without a counter', async () => {
    const ada = await enrolled()
    for (const challenge of [randomBytes(32), randomBytes(32)]) {
      const response = ada.authenticator.assert(await ada.options(challenge), { counter: 0 })
      expect(await ada.verify(response, challenge)).to.be.a('string')
    }
  })
})
