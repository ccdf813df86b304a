import { encodeHex } from '@svc/core/bytes.ts'
import { buildSignedRequestMessage } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { sha256 } from '../http/sha256.ts'

/** Signs messages by EIP-191, such as a local account of viem. */
export type MessageSigner = {
  address: `0x${string}`
  signMessage(input: { message: string }): Promise<`0x${string}`>
}

/** The request to the service to sign. */
export type RequestToSign = {
  method: string
  /** Path of the request target, from the first slash, without the query. */
  path: string
  /** The exact text of the body; empty if there is none. */
  body: string
  /** Default a random UUID. At least 16 characters if an agent's identifier is derived from it. */
  nonce?: string | undefined
  /** Unix seconds; default the clock. */
  timestamp?: number | undefined
  /**
   * The origin of the service, such as `https://registry.example`, so that no other service can use the request; without it,
   * the first form is signed, which names none.
   */
  service?: string | undefined
  /** The smart-contract wallet on whose behalf the signer signs, which validates the signature (ERC-1271). */
  walletAddress?: `0x${string}` | undefined
}

/**
 * Signs a request to the service with the owner's key, and returns the headers to send with it. Requests to counterparties
 * are signed by `signFetch` or `signHttpRequest`.
 *
 * The signature is valid for five minutes and for one use. The body must be sent byte for byte as it was signed. The headers
 * always name the address: a signature over a different request also recovers to an address, and only by comparing the two
 * can the service reject it.
 *
 * Source: Spec: Authentication 7; docs/agents.md.
 */
export async function signRequest(
  signer: MessageSigner,
  request: RequestToSign,
): Promise<Record<string, string>> {
  const { method, path, body, walletAddress, service } = request
  const nonce = request.nonce ?? crypto.randomUUID()
  const timestamp = request.timestamp ?? Math.floor(Date.now() / 1000)
  const bodySha256Hex = encodeHex(await sha256(body)).slice(2)
  const message = buildSignedRequestMessage({ method, path, timestamp, nonce, bodySha256Hex, service })
  return {
    'X-Svc-Signature': await signer.signMessage({ message }),
    'X-Svc-Timestamp': String(timestamp),
    'X-Svc-Nonce': nonce,
    'X-Svc-Address': walletAddress ?? signer.address,
    ...(service === undefined ? {} : { 'X-Svc-Service': service }),
  }
}
