import type { Passkey } from '@svc/core/contract/passkeys.ts'
import { callElevated } from './callApi.ts'
import { createPasskey } from './passkeyCeremonies.ts'
import { withFreshProof } from './withFreshProof.ts'

/**
 * Creates a passkey on this device and adds it to the account; the first needs a recent sign-in, every other one an
 * existing passkey.
 *
 * @throws ApiFailure. Source: WebAuthn 3 §5.1.3.
 */
export function addPasskey(name: string): Promise<Passkey> {
  return withFreshProof(async (elevation) => {
    const { options } = await callElevated('POST /api/auth/passkeys/registration/options', {}, elevation)
    const body = { response: await createPasskey(options), name }
    const added = await callElevated('POST /api/auth/passkeys/registration/verify', { body }, elevation)
    return added.passkey
  })
}
