/** A value in DER: its tag, and its content without tag and length. */
export type DerValue = { tag: number; content: Uint8Array }

/**
 * Reads consecutive DER values with tags of one byte, which are all that certificates have.
 *
 * @throws Error when a value is cut short, or its length is missing or takes more than four bytes.
 * Source: X.690 §8.1, §10.1.
 */
export function readDer(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = []
  let at = 0
  while (at < bytes.length) {
    const tag = byteAt(bytes, at)
    const first = byteAt(bytes, at + 1)
    const lengthBytes = first < 0x80 ? 0 : first - 0x80
    if (first === 0x80 || lengthBytes > 4) throw new Error('a DER length without bytes, or of more than four')
    let length = lengthBytes === 0 ? first : 0
    for (let nth = 0; nth < lengthBytes; nth += 1) length = length * 256 + byteAt(bytes, at + 2 + nth)
    const start = at + 2 + lengthBytes
    at = start + length
    if (at > bytes.length) throw new Error('a DER value is cut short')
    values.push({ tag, content: bytes.subarray(start, at) })
  }
  return values
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new Error('a DER value is cut short')
  return byte
}
