import { expect } from 'chai'
import { type Authenticator, createAuthenticator } from '../../../harness/peers/createAuthenticator.ts'
import { APP_URL, openAccounts } from '../accounts/openAccounts.ts'
import { type Person, register } from '../accounts/person.ts'

/** The origin at which browsers of these tests show the dashboard. */
export const PAGE = { origin: APP_URL, rpId: new URL(APP_URL).hostname }

/** The base path of passkeys. */
export const PASSKEYS = '/api/auth/passkeys'

/** The scene of the passkey tests, so that they can declare it before it is open. */
export type Passkeys = Awaited<ReturnType<typeof openPasskeys>>

/** Accounts over HTTP whose owners enrol and use passkeys. */
export async function openPasskeys() {
  const accounts = await openAccounts()
  let people = 0

  const person = () => {
    people += 1
    return register(accounts, `person${people}`)
  }
  const post = (path: string, bearer?: string, body?: unknown, elevation?: string) =>
    accounts.call('POST', `${PASSKEYS}/${path}`, {
      ...(bearer === undefined ? {} : { bearer }),
      body: body ?? {},
      ...(elevation === undefined ? {} : { headers: { 'X-Svc-Elevation': elevation } }),
    })

  /** Enrols a passkey over HTTP. */
  async function enrol({ accessToken }: Person, elevation?: string) {
    const authenticator = createAuthenticator(PAGE)
    const { body } = await post('registration/options', accessToken, {}, elevation)
    const response = authenticator.register(body.options)
    const made = await post('registration/verify', accessToken, { response, name: 'laptop' }, elevation)
    expect(made.status).to.equal(201)
    return { authenticator, id: made.body.passkey.id as string }
  }

  async function elevate(bearer: string, authenticator: Authenticator): Promise<string> {
    const { body } = await post('authentication/options', bearer)
    const raised = await post('authentication/verify', bearer, {
      response: authenticator.assert(body.options),
    })
    expect([raised.status, raised.body.expiresIn]).to.deep.equal([200, 300])
    return raised.body.elevationToken
  }

  async function signIn(authenticator: Authenticator) {
    const { body } = await post('authentication/options')
    return post('authentication/verify', undefined, { response: authenticator.assert(body.options) })
  }

  return { accounts, person, post, enrol, elevate, signIn }
}
