import { expect } from 'chai'
import { signInByPasskey } from '../../../../server/services/passkeys/signInByPasskey.ts'
import { mailsTo } from '../accounts/mailsTo.ts'
import type { Person } from '../accounts/person.ts'
import { openPasskeys, PASSKEYS, type Passkeys } from './openPasskeys.ts'

const UNKNOWN = { browser: null, network: null }

describe('a sign-in by a passkey that is removed while it is checked', () => {
  let scene: Passkeys

  before(async () => {
    scene = await openPasskeys()
  })
  after(() => scene?.accounts.close())

  /** Signs in, with something else happening after the assertion was verified and before the session is opened. */
  async function signInDuring(
    owner: Person,
    meanwhile: (passkey: string, elevation: string) => Promise<void>,
  ) {
    const { authenticator, id } = await scene.enrol(owner)
    const elevation = await scene.elevate(owner.accessToken, authenticator)
    const { options } = (await scene.post('authentication/options')).body
    const { parts, time } = scene.accounts
    const users = {
      ...parts.users,
      async byId(userId: string) {
        await meanwhile(id, elevation)
        return parts.users.byId(userId)
      },
    }
    const input = { response: authenticator.assert(options), client: UNKNOWN, now: time.now }
    return signInByPasskey({ ...parts, users }, input).then(
      () => 'signed in',
      ({ code }) => code,
    )
  }
  const openSessionsOf = async ({ userId }: Person) =>
    (await scene.accounts.db.query('sessions').where({ user_id: userId }).whereNull('ended_at')).length

  it('opens a session if nothing happens meanwhile', async () => {
    expect(await signInDuring(await scene.person(), async () => undefined)).to.equal('signed in')
  })

  it('is refused after the removal', async () => {
    const owner = await scene.person()
    const outcome = await signInDuring(owner, async (id, elevation) => {
      const { accessToken: bearer } = owner
      const headers = { 'X-Svc-Elevation': elevation }
      const removed = await scene.accounts.call('DELETE', `${PASSKEYS}/${id}`, { bearer, headers })
      expect(removed.status).to.equal(200)
    })
    expect(outcome).to.equal('UNAUTHENTICATED')
    expect(await openSessionsOf(owner)).to.equal(1)
  })

  it('is refused after a password reset by the mailbox’s owner, whom a stranger had preceded', async () => {
    const stranger = await scene.person()
    const outcome = await signInDuring(stranger, async () => {
      const { email } = stranger
      await scene.accounts.call('POST', '/api/auth/password/forgot', { body: { email } })
      const [mail] = await mailsTo(scene.accounts, email, 'reset_password')
      const token = mail?.token
      const body = { token, password: 'plinth ocarina 77' }
      expect((await scene.accounts.call('POST', '/api/auth/password/reset', { body })).status).to.equal(200)
    })
    expect(outcome).to.equal('UNAUTHENTICATED')
    expect(await openSessionsOf(stranger)).to.equal(0)
  })
})
