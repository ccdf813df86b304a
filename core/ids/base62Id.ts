import { BASE62_DIGITS } from './base62Digits.ts'

const LENGTH = 22

/**
 * 128 bits as exactly 22 base62 characters, the most significant first, padded with zeros.
 *
 * @throws Error when it is not given 16 bytes.
 *
 * Source: api.md "Identifiers"; Spec: Limits (22 characters after the prefix).
 */
export function base62Id(bytes16: Uint8Array): string {
  if (bytes16.length !== 16) throw new Error(`an identifier is made of 16 bytes, not ${bytes16.length}`)
  let value = 0n
  for (const byte of bytes16) value = (value << 8n) | BigInt(byte)
  let id = ''
  while (id.length < LENGTH) {
    id = BASE62_DIGITS.charAt(Number(value % 62n)) + id
    value /= 62n
  }
  return id
}
