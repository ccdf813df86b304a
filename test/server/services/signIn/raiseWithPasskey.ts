import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { APP_URL, type OpenAccounts } from '../accounts/openAccounts.ts'
import type { Person } from '../accounts/person.ts'

/** Adds a passkey, elevates the session with it, and returns the elevation header. */
export async function raiseWithPasskey({ url }: OpenAccounts, { accessToken }: Person) {
  const { elevation } = await enrolPasskey(url, accessToken, APP_URL)
  return { 'X-Svc-Elevation': await elevation() }
}
