/** The values that the encoder accepts: enough for attestations and COSE keys. */
export type CborValue = number | string | Uint8Array | Map<number | string, CborValue>

/** Encodes a value as CBOR. Source: RFC 8949 §3. */
export function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  const pairs = [...value].flatMap(([key, member]) => [encodeCbor(key), encodeCbor(member)])
  return Buffer.concat([head(5, value.size), ...pairs])
}

function head(majorType: number, argument: number): Buffer {
  const first = majorType << 5
  if (argument < 24) return Buffer.from([first | argument])
  if (argument < 256) return Buffer.from([first | 24, argument])
  return Buffer.from([first | 25, argument >> 8, argument & 0xff])
}
