const BYTE_DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Bytes as lower-case hexadecimal digits with `0x` in front: the form of every hash in an answer. */
export function hexOfBytes(bytes: Uint8Array): `0x${string}` {
  let digits = ''
  for (const byte of bytes) digits += BYTE_DIGITS[byte]
  return `0x${digits}`
}
