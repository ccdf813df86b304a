import { encodeBase64Url } from '@svc/core/bytes.ts'

const BYTES = 16

/** Creates a random value that is used once, in signatures and intent proofs: 22 characters. */
export function createNonce(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(BYTES)))
}
