import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { callApi } from './callApi.ts'
import { passkeyFailure } from './passkeyCeremonies.ts'
import type { Passkey } from './types.ts'
import { withElevation } from './withElevation.ts'

const PATH = '/api/auth/passkeys/registration'

/**
 * Makes a passkey on this device and adds it to the account; each but the first is vouched for by one that is there.
 *
 * @throws ApiFailure. Source: api.md "Accounts"; WebAuthn 3 §5.1.3.
 */
export function addPasskey(name: string): Promise<Passkey> {
  return withElevation(async (elevation) => {
    const asked = await callApi<{ options: PublicKeyCredentialCreationOptionsJSON }>({
      method: 'POST',
      path: `${PATH}/options`,
      body: {},
      elevation,
    })
    const response = await make(asked.options)
    const body = { response, name }
    const made = await callApi<{ passkey: Passkey }>({
      method: 'POST',
      path: `${PATH}/verify`,
      body,
      elevation,
    })
    return made.passkey
  })
}

async function make(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  try {
    return await startRegistration({ optionsJSON })
  } catch (error) {
    throw passkeyFailure(error)
  }
}
