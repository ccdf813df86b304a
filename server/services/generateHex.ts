/** Returns random bytes as lower-case hexadecimal digits without `0x`, the form of stored salts and nonces. */
export function generateHex(randomBytes: (length: number) => Uint8Array, length: number): string {
  const { buffer, byteOffset, byteLength } = randomBytes(length)
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex')
}
