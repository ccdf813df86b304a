import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { type Assertion, type AssertionOptions, assertPasskey } from './passkeyCeremonies.ts'
import { request } from './request.ts'
import { session } from './session.ts'
import type { Session } from './types.ts'

const PATH = '/api/auth/passkeys/authentication'

/** Sign-in with a passkey. Source: api.md "Accounts"; WebAuthn 3 §5.1.4, "conditional". */
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
  const optionsJSON = await requestChallenge()
  return startAuthentication({ optionsJSON, useBrowserAutofill: true })
}

async function requestChallenge(): Promise<AssertionOptions> {
  const path = `${PATH}/options`
  return (await request<{ options: AssertionOptions }>({ method: 'POST', path, body: {} }, null)).options
}

async function beginSession(response: Assertion): Promise<void> {
  const path = `${PATH}/verify`
  const answer = await request<{ data: Session }>({ method: 'POST', path, body: { response } }, null)
  session.begin(answer.data)
}
