import type { BodyOf } from '@svc/core/contract/operations.ts'
import { createPasskey } from './passkeyCeremonies.ts'
import { request } from './request.ts'
import { session } from './session.ts'

/**
 * Creates a passkey on this device and opens an account with it, without a password.
 *
 * @throws ApiFailure. Source: WebAuthn 3 §5.1.3.
 */
export async function signUpWithPasskey(
  account: BodyOf<'POST /api/auth/passkeys/sign-up/options'>,
): Promise<void> {
  const { options } = await request('POST /api/auth/passkeys/sign-up/options', { body: account }, null)
  const body = { ...account, response: await createPasskey(options) }
  session.begin((await request('POST /api/auth/passkeys/sign-up/verify', { body }, null)).data)
}
