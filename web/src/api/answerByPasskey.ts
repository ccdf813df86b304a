import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
import { passkeyFailure } from './passkeyFailure.ts'

/** Options of an assertion, and what a passkey answers to them, as the service writes and reads them. */
export type AssertionOptions = PublicKeyCredentialRequestOptionsJSON
export type Assertion = Awaited<ReturnType<typeof startAuthentication>>

/**
 * Has the person answer a challenge by a passkey.
 *
 * @throws ApiFailure when it was cancelled or cannot be. Source: WebAuthn 3 §5.1.4.
 */
export async function answerByPasskey(optionsJSON: AssertionOptions): Promise<Assertion> {
  try {
    return await startAuthentication({ optionsJSON })
  } catch (error) {
    throw passkeyFailure(error)
  }
}
