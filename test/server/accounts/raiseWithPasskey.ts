import { createAuthenticator } from '../../harness/authenticator.ts'
import { APP_URL } from './openAccounts.ts'
import type { Person } from './person.ts'

/** Gives a person a passkey, raises the session with it, and answers the header that says so. */
export async function raiseWithPasskey(person: Person): Promise<{ 'X-Svc-Elevation': string }> {
  const authenticator = createAuthenticator({ origin: APP_URL, rpId: new URL(APP_URL).hostname })
  const passkeys = '/api/auth/passkeys'
  const made = await person.call('POST', `${passkeys}/registration/options`, {})
  const response = authenticator.register(made.body.options)
  await person.call('POST', `${passkeys}/registration/verify`, { response })
  const asked = await person.call('POST', `${passkeys}/authentication/options`, {})
  const asserted = { response: authenticator.assert(asked.body.options) }
  const raised = await person.call('POST', `${passkeys}/authentication/verify`, asserted)
  return { 'X-Svc-Elevation': raised.body.elevationToken }
}
