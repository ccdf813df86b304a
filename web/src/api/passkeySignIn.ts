import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { RequestOptions } from '@svc/core/contract/passkeys.ts'
import { type Assertion, assertPasskey, toOptionsJSON } from './passkeyCeremonies.ts'
import { request } from './request.ts'
import { session } from './session.ts'

/** Sign-in with a passkey. Source: WebAuthn 3 §5.1.4, "conditional". */
export const passkeySignIn = {
  /** Asks for a passkey now. @throws ApiFailure. */
  async start(): Promise<void> {
    await beginSession(await assertPasskey(await requestChallenge()))
  },

  /**
   * Lets the browser suggest passkeys in the e-mail field (conditional mediation); resolves once the user has chosen one.
   *
   * An offer that cannot be made is ignored, since the user has not asked for it. Another ceremony ends it.
   *
   * @throws ApiFailure if the chosen passkey does not sign in.
   */
  async offer(): Promise<void> {
    const response = await assertFromAutofill().catch(() => null)
    if (response !== null) await beginSession(response)
  },

  /** Withdraws the offer. */
  withdraw: () => WebAuthnAbortService.cancelCeremony(),
}

async function assertFromAutofill(): Promise<Assertion | null> {
  if (!(await browserSupportsWebAuthnAutofill())) return null
  const optionsJSON = toOptionsJSON(await requestChallenge())
  return startAuthentication({ optionsJSON, useBrowserAutofill: true })
}

async function requestChallenge(): Promise<RequestOptions> {
  return (await request('POST /api/auth/passkeys/authentication/options', {}, null)).options
}

async function beginSession(response: Assertion): Promise<void> {
  const answer = await request('POST /api/auth/passkeys/authentication/verify', { body: { response } }, null)
  // Without an access token the service never answers with elevation.
  if ('data' in answer) session.begin(answer.data)
}
