import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type { CreationOptions, RequestOptions } from '@svc/core/contract/passkeys.ts'
import { ApiFailure } from './apiFailure.ts'

/** The assertion of a passkey, in the JSON form that the service uses. */
export type Assertion = Awaited<ReturnType<typeof startAuthentication>>

/**
 * Asks the user for a passkey assertion.
 *
 * @throws ApiFailure when the user cancels or the device cannot. Source: WebAuthn 3 §5.1.4.
 */
export async function assertPasskey(options: RequestOptions): Promise<Assertion> {
  try {
    return await startAuthentication({ optionsJSON: toOptionsJSON(options) })
  } catch (error) {
    throw toPasskeyFailure(error)
  }
}

/**
 * Creates a passkey on this device.
 *
 * @throws ApiFailure when the user cancels or the device cannot. Source: WebAuthn 3 §5.1.3.
 */
export async function createPasskey(options: CreationOptions) {
  try {
    // The library knows fewer transports than an authenticator may name.
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  } catch (error) {
    throw toPasskeyFailure(error)
  }
}

/** The options in the type of the library, which knows fewer transports than an authenticator may name. */
export function toOptionsJSON(options: RequestOptions): PublicKeyCredentialRequestOptionsJSON {
  return options as PublicKeyCredentialRequestOptionsJSON
}

/** User-facing messages by the name of the browser's error. Source: WebAuthn 3 §5.1. */
const MEANINGS: Readonly<Record<string, readonly [code: string, message: string]>> = {
  NotAllowedError: ['PASSKEY_CANCELLED', 'The passkey request was cancelled or timed out.'],
  AbortError: ['PASSKEY_CANCELLED', 'The passkey request was cancelled or timed out.'],
  InvalidStateError: ['PASSKEY_KNOWN', 'This device already has a passkey for this account.'],
  SecurityError: ['PASSKEY_ELSEWHERE', 'Passkeys do not work at this address.'],
  NotSupportedError: ['PASSKEY_UNSUPPORTED', 'This device cannot create the required kind of passkey.'],
}

/** Explains a browser's passkey error in plain words; failures reported by the service pass through unchanged. */
function toPasskeyFailure(thrown: unknown): ApiFailure {
  if (thrown instanceof ApiFailure) return thrown
  if (!window.isSecureContext) {
    return new ApiFailure('PASSKEY_ELSEWHERE', 'Passkeys work only over HTTPS or on localhost.')
  }
  if (window.PublicKeyCredential === undefined) {
    return new ApiFailure('PASSKEY_UNSUPPORTED', 'This browser does not support passkeys.')
  }
  const name = errorNameOf(thrown)
  const [code, message] = MEANINGS[name] ?? ['PASSKEY_FAILED', 'The passkey could not be used.']
  return new ApiFailure(code, message)
}

/** The library renames some browser errors and keeps the original as their cause. */
function errorNameOf(thrown: unknown): string {
  if (thrown instanceof WebAuthnError && thrown.cause instanceof Error) return thrown.cause.name
  return thrown instanceof Error ? thrown.name : ''
}
