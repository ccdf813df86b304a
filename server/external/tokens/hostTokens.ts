import { createHmac, hkdfSync } from 'node:crypto'
import { encodeBase62 } from '@svc/core/ids/identifiers.ts'

/** The token that an owner publishes to prove control over a host: the same each time, and different for every owner. */
export type HostTokenOf = (ownerId: string, host: string) => string

/** Derives the key of the tokens from the secrets key of the first start. Source: RFC 5869. */
export function deriveHostTokenKey(secretsKey: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretsKey, '', 'svc-host-token', 32))
}

/**
 * Derives the tokens from one key, so that a challenge which nobody takes up stores nothing.
 *
 * @returns 128 bits in base62. Source: RFC 2104.
 */
export function createHostTokenOf(key: Uint8Array): HostTokenOf {
  return (ownerId, host) =>
    encodeBase62(createHmac('sha256', key).update(`${ownerId}\n${host}`).digest().subarray(0, 16))
}
