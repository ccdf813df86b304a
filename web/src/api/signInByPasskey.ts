import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { type Assertion, type AssertionOptions, answerByPasskey } from './passkeyCeremonies.ts'
import { request } from './request.ts'
import { session } from './session.ts'
import type { Session } from './types.ts'

const PATH = '/api/auth/passkeys/authentication'

/** Signs in by a passkey. Source: api.md "Accounts"; WebAuthn 3 §5.1.4, "conditional". */
export const signInByPasskey = {
  /** Has the browser ask for one now. @throws ApiFailure. */
  async now(): Promise<void> {
    await begin(await answerByPasskey(await openChallenge()))
  },

  /**
   * Lets the browser offer passkeys where the e-mail address is typed, where it can; resolves when one was taken.
   *
   * Nobody has asked for anything yet, so an offer that cannot be made is left at that; another ceremony ends it.
   *
   * @throws ApiFailure for a passkey that was taken and signs nobody in.
   */
  async offer(): Promise<void> {
    const response = await offered().catch(() => null)
    if (response !== null) await begin(response)
  },

  /** Takes the offer back. */
  withdraw: () => WebAuthnAbortService.cancelCeremony(),
}

async function offered(): Promise<Assertion | null> {
  if (!(await browserSupportsWebAuthnAutofill())) return null
  const optionsJSON = await openChallenge()
  return startAuthentication({ optionsJSON, useBrowserAutofill: true })
}

async function openChallenge(): Promise<AssertionOptions> {
  const path = `${PATH}/options`
  return (await request<{ options: AssertionOptions }>({ method: 'POST', path, body: {} }, null)).options
}

async function begin(response: Assertion): Promise<void> {
  const path = `${PATH}/verify`
  const answer = await request<{ data: Session }>({ method: 'POST', path, body: { response } }, null)
  session.begin(answer.data)
}
