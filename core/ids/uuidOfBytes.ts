const BYTE_DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * 16 bytes in the text form of a UUID, lower case, with version and variant written over their six bits.
 *
 * Source: RFC 9562 §4.
 */
export function uuidOfBytes(bytes: ArrayLike<number>, version: 4 | 7): string {
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
