import { sha256Hex } from '@svc/core/hash.ts'

/** SHA-256 of the host and port in a browser's address, which itself is stored only sealed. */
export function hashPushHost(endpoint: string): string {
  return sha256Hex(new URL(endpoint).host)
}
