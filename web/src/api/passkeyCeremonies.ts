import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { ApiFailure } from './apiFailure.ts'

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

/** What the browser's refusals mean to the person in front of it, by the name of the error. Source: WebAuthn 3 §5.1. */
const MEANINGS: Readonly<Record<string, readonly [code: string, message: string]>> = {
  NotAllowedError: ['PASSKEY_CANCELLED', 'The passkey was not used: it was cancelled, or took too long.'],
  AbortError: ['PASSKEY_CANCELLED', 'The passkey was not used: it was cancelled, or took too long.'],
  InvalidStateError: ['PASSKEY_KNOWN', 'This device holds a passkey of this account already.'],
  SecurityError: ['PASSKEY_ELSEWHERE', 'Passkeys do not work at this address of the dashboard.'],
  NotSupportedError: ['PASSKEY_UNSUPPORTED', 'This device cannot make the kind of passkey that is needed.'],
}

/** Puts what went wrong with a passkey in the browser into words; what comes from the service says so itself. */
export function passkeyFailure(thrown: unknown): ApiFailure {
  if (thrown instanceof ApiFailure) return thrown
  if (!window.isSecureContext) {
    return new ApiFailure('PASSKEY_ELSEWHERE', 'Browsers offer passkeys over HTTPS and on localhost only.')
  }
  if (window.PublicKeyCredential === undefined) {
    return new ApiFailure('PASSKEY_UNSUPPORTED', 'This browser knows no passkeys.')
  }
  const name = nameOf(thrown)
  const [code, message] = MEANINGS[name] ?? ['PASSKEY_FAILED', 'The passkey could not be used.']
  return new ApiFailure(code, message)
}

/** The library gives its own errors the name of the browser's, and keeps that one as the cause of some. */
function nameOf(thrown: unknown): string {
  if (thrown instanceof WebAuthnError && thrown.cause instanceof Error) return thrown.cause.name
  return thrown instanceof Error ? thrown.name : ''
}
