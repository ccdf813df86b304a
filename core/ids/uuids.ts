import { BYTE_DIGITS } from '../byteDigits.ts'

/**
 * Generates a random UUID from 16 random bytes, of which 122 bits are used. Most of the specification's UUIDs have this
 * form.
 *
 * @throws Error for any other number of bytes.
 *
 * Source: RFC 9562 §5.4.
 */
export function generateUuidV4(bytes16: Uint8Array): string {
  if (bytes16.length !== 16) throw new Error(`a UUID has 16 bytes, not ${bytes16.length}`)
  return formatUuid(bytes16, 4)
}

/**
 * Generates a UUID that sorts by time, from Unix milliseconds and 10 random bytes, of which 74 bits are used. Internal ids
 * and those of sessions have this form.
 *
 * Ids of the same millisecond have no particular order.
 *
 * @throws Error for any other number of bytes, and for a time that does not fit into 48 bits.
 *
 * Source: RFC 9562 §5.7.
 */
export function generateUuidV7(epochMs: number, bytes10: Uint8Array): string {
  if (bytes10.length !== 10) throw new Error(`a UUID of version 7 needs 10 bytes, not ${bytes10.length}`)
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
  return formatUuid(bytes, 7)
}

/** Formats 16 bytes as a lower-case UUID, in which version and variant replace six bits. Source: RFC 9562 §4. */
function formatUuid(bytes: ArrayLike<number>, version: 4 | 7): string {
  let uuid = ''
  for (let i = 0; i < 16; i++) {
    let byte = bytes[i] ?? 0
    if (i === 6) byte = (byte & 0x0f) | (version << 4)
    if (i === 8) byte = (byte & 0x3f) | 0x80
    if (i === 4 || i === 6 || i === 8 || i === 10) uuid += '-'
    uuid += BYTE_DIGITS[byte]
  }
  return uuid
}
