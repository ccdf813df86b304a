import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { callApi } from './callApi.ts'
import { toPasskeyFailure } from './passkeyCeremonies.ts'
import type { Passkey } from './types.ts'
import { withElevation } from './withElevation.ts'

const PATH = '/api/auth/passkeys/registration'

/**
 * Creates a passkey on this device and adds it to the account; every passkey after the first needs an existing one.
 *
 * @throws ApiFailure. Source: api.md "Accounts"; WebAuthn 3 §5.1.3.
 */
export function addPasskey(name: string): Promise<Passkey> {
  return withElevation(async (elevation) => {
    const challenge = await callApi<{ options: PublicKeyCredentialCreationOptionsJSON }>({
      method: 'POST',
      path: `${PATH}/options`,
      body: {},
      elevation,
    })
    const response = await createCredential(challenge.options)
    const body = { response, name }
    const added = await callApi<{ passkey: Passkey }>({
      method: 'POST',
      path: `${PATH}/verify`,
      body,
      elevation,
    })
    return added.passkey
  })
}

async function createCredential(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  try {
    return await startRegistration({ optionsJSON })
  } catch (error) {
    throw toPasskeyFailure(error)
  }
}
