import { uuidOfBytes } from './uuidOfBytes.ts'

/**
 * A UUID that sorts by its time, out of Unix milliseconds and 10 random bytes, of which 74 bits are kept: for
 * internal ids.
 *
 * Ids of one millisecond are in no order among themselves.
 *
 * @throws Error when it is not given 10 bytes, or a time that does not fit 48 bits.
 *
 * Source: RFC 9562 §5.7; api.md "Identifiers".
 */
export function uuidV7(epochMs: number, bytes10: Uint8Array): string {
  if (bytes10.length !== 10) throw new Error(`a UUID of version 7 is made of 10 bytes, not ${bytes10.length}`)
  if (!Number.isInteger(epochMs) || epochMs < 0 || epochMs >= 2 ** 48)
    throw new Error(`${epochMs} is not a time`)
  const bytes = new Uint8Array(16)
  const high = Math.floor(epochMs / 2 ** 32)
  bytes[0] = high >>> 8
  bytes[1] = high
  bytes[2] = epochMs >>> 24
  bytes[3] = epochMs >>> 16
  bytes[4] = epochMs >>> 8
  bytes[5] = epochMs
  bytes.set(bytes10, 6)
  return uuidOfBytes(bytes, 7)
}
