import { sha256Hex } from '@svc/core/hash.ts'
import { buildSignedRequestMessage } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { isServiceNamed } from '@svc/core/signing/serviceName.ts'
import { apiError } from '../../errors.ts'
import type { SignatureVerifier } from '../../external/signatureVerifier.ts'
import type { Db } from '../../store/database/database.ts'
import type { NonceStore } from '../../store/recorder/nonceStore.ts'
import type { SignaturePrincipal } from '../principal.ts'

export type AuthenticateSignatureDeps = {
  signatures: SignatureVerifier
  nonces: NonceStore
  transaction: Db['transaction']
  signedRequests: SignedRequestSettings
}

/** Which services a request may be signed for. */
export type SignedRequestSettings = {
  /** The names of this service. */
  services: readonly string[]
  /** Whether requests may name none. Another service to which they are sent can then send them here. */
  allowWithoutService: boolean
}

/** The parts of a signed request that the signature covers. Source: docs/agents.md. */
export type SignedRequest = {
  method: string
  path: string
  signature: string
  /** Header `X-Svc-Timestamp`, Unix seconds. */
  timestamp: string | undefined
  nonce: string | undefined
  /** Header `X-Svc-Address`: the signing address, of a key or of a smart-contract wallet (ERC-1271). */
  address: string | undefined
  /** Header `X-Svc-Service`: the service for which it is signed; undefined in the first form. */
  service: string | undefined
  rawBody: Uint8Array
}

const WINDOW_MS = 5 * 60 * 1000

/**
 * Returns the address whose key signed a request.
 *
 * The nonce is consumed last and only for a valid signature, so that nobody can use up another key's nonces. It is stored
 * for two windows, because a timestamp may lie one window ahead.
 *
 * @throws ApiError invalid_signature, signature_expired, nonce_reused. Source: `Spec: Authentication` 7; docs/agents.md.
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
  requireService(deps.signedRequests, request.service)
  requireSigner(request)
  const { method, path, signature, service } = request
  const message = buildSignedRequestMessage({
    method,
    path,
    timestamp,
    nonce,
    bodySha256Hex: sha256Hex(request.rawBody),
    service,
  })
  const address = await deps.signatures.recoverSigner(message, signature, request.address)
  if (!address) throw apiError('invalid_signature')
  const expiresAt = now + 2 * WINDOW_MS
  const isFirstUse = await deps.transaction(
    (trx) => deps.nonces.take(trx, { address, nonce, expiresAt }, now),
    [],
  )
  if (!isFirstUse) throw apiError('nonce_reused')
  return { kind: 'signature', address, nonce }
}

/** Checked before the signature is, which would otherwise only seem to be by another key. */
function requireService(
  { services, allowWithoutService }: SignedRequestSettings,
  service: string | undefined,
): void {
  if (service === undefined ? allowWithoutService : isServiceNamed(service, services)) return
  const message = `X-Svc-Service: expected ${services.join(' or ')}, for which the request has to be signed`
  throw apiError('invalid_signature', { message })
}

/** Any signature recovers to some address; only a named one shows that other bytes were signed. */
function requireSigner({ service, address }: SignedRequest): void {
  if (service === undefined || address !== undefined) return
  throw apiError('invalid_signature', { message: 'X-Svc-Address: expected beside X-Svc-Service' })
}

function requireForm(value: string | undefined, form: RegExp, message: string): string {
  if (value === undefined || !form.test(value)) throw apiError('invalid_signature', { message })
  return value
}
