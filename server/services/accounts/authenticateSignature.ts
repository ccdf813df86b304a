import { sha256Hex } from '@svc/core/hash.ts'
import { buildSignedRequestMessage } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { apiError } from '../../errors.ts'
import type { SignatureVerifier } from '../../external/signatureVerifier.ts'
import type { Db } from '../../store/database/database.ts'
import type { NonceStore } from '../../store/recorder/nonceStore.ts'
import type { SignaturePrincipal } from '../principal.ts'

export type AuthenticateSignatureDeps = {
  signatures: SignatureVerifier
  nonces: NonceStore
  transaction: Db['transaction']
}

/** What a signed request is checked over. Source: api.md "Signed request". */
export type SignedRequest = {
  method: string
  path: string
  signature: string
  /** Header `X-Svc-Timestamp`, Unix seconds. */
  timestamp: string | undefined
  nonce: string | undefined
  /** Header `X-Svc-Address`: the address that answers for the signature, a key's or a smart-contract wallet's (ERC-1271). */
  address: string | undefined
  rawBody: Uint8Array
}

const WINDOW_MS = 5 * 60 * 1000

/**
 * Whose key signed a request.
 *
 * The nonce is taken last and only for a good signature: nobody can use up the nonces of another key. It is kept
 * for two windows, since a timestamp may lie one window ahead.
 *
 * @throws ApiError invalid_signature, signature_expired, nonce_reused.
 * Source: `Spec: Authentication` 7; api.md "Signed request".
 */
export async function authenticateSignature(
  deps: AuthenticateSignatureDeps,
  request: SignedRequest,
  now: number,
): Promise<SignaturePrincipal> {
  const timestamp = requireForm(request.timestamp, /^\d{1,12}$/, 'X-Svc-Timestamp: expected Unix seconds')
  const nonce = requireForm(
    request.nonce,
    /^[\x21-\x7e]{1,128}$/,
    'X-Svc-Nonce: expected 1 to 128 visible ASCII characters',
  )
  if (Math.abs(now - Number(timestamp) * 1000) > WINDOW_MS) throw apiError('signature_expired')
  const { method, path, signature } = request
  const message = buildSignedRequestMessage({
    method,
    path,
    timestamp,
    nonce,
    bodySha256Hex: sha256Hex(request.rawBody),
  })
  const address = await deps.signatures.recoverSigner(message, signature, request.address)
  if (!address) throw apiError('invalid_signature')
  const expiresAt = now + 2 * WINDOW_MS
  const isFirstUse = await deps.transaction((trx) =>
    deps.nonces.take(trx, { address, nonce, expiresAt }, now),
  )
  if (!isFirstUse) throw apiError('nonce_reused')
  return { kind: 'signature', address, nonce }
}

function requireForm(value: string | undefined, form: RegExp, message: string): string {
  if (value === undefined || !form.test(value)) throw apiError('invalid_signature', { message })
  return value
}
