import type { Passkey } from '@svc/core/contract/passkeys.ts'
import { callElevated } from './callApi.ts'
import { createPasskey } from './passkeyCeremonies.ts'
import { withElevation } from './withElevation.ts'

/**
 * Creates a passkey on this device and adds it to the account; every passkey after the first needs an existing one.
 *
 * @throws ApiFailure. Source: WebAuthn 3 §5.1.3.
 */
export function addPasskey(name: string): Promise<Passkey> {
  return withElevation(async (elevation) => {
    const { options } = await callElevated('POST /api/auth/passkeys/registration/options', {}, elevation)
    const body = { response: await createPasskey(options), name }
    const added = await callElevated('POST /api/auth/passkeys/registration/verify', { body }, elevation)
    return added.passkey
  })
}
