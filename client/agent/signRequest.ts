import { hexOfBytes } from '@svc/core/bytes.ts'
import { signedRequestMessage } from '@svc/core/signing/signedRequestMessage.ts'
import { sha256 } from './sha256.ts'

/** Whoever can sign a text by EIP-191; a local account of viem is one. */
export type MessageSigner = {
  address: `0x${string}`
  signMessage(input: { message: string }): Promise<`0x${string}`>
}

/** The request that is signed. */
type ToSign = {
  method: string
  /** Path of the request target, from the first slash, without its query. */
  path: string
  /** Exactly the text that is sent; empty when there is none. */
  body: string
  /** Drawn when left out. At least 16 characters where an agent's identifier is derived from it. */
  nonce?: string
  /** Unix seconds; the clock when left out. */
  timestamp?: number
  /** The smart-contract wallet that answers for the signature (ERC-1271), where the signer only acts for it. */
  walletAddress?: `0x${string}`
}

/**
 * The headers that make a request a signed one.
 *
 * Good for five minutes and for one use. The body must be sent byte for byte as it was signed. The address is always named,
 * because a signature over anything else still recovers to some address: named, the service can refuse it.
 *
 * Source: api.md "Signed request"; Spec: Authentication 7.
 */
export async function signRequest(signer: MessageSigner, toSign: ToSign): Promise<Record<string, string>> {
  const { method, path, body, walletAddress } = toSign
  const nonce = toSign.nonce ?? crypto.randomUUID()
  const timestamp = toSign.timestamp ?? Math.floor(Date.now() / 1000)
  const bodySha256Hex = hexOfBytes(await sha256(body)).slice(2)
  const message = signedRequestMessage({ method, path, timestamp, nonce, bodySha256Hex })
  return {
    'X-Svc-Signature': await signer.signMessage({ message }),
    'X-Svc-Timestamp': String(timestamp),
    'X-Svc-Nonce': nonce,
    'X-Svc-Address': walletAddress ?? signer.address,
  }
}
