const SEQUENCE = 0x30
const INTEGER = 0x02
/** A sequence of two integers of 33 bytes, each with tag and length; no length needs the long form. */
const LENGTH_MAX = 72

/**
 * Whether bytes are the unique DER encoding of a pair of positive integers, as in ECDSA signatures over curves of up to 256
 * bits. A reader that accepted other encodings would accept several signatures for the same pair.
 *
 * Source: RFC 3279 §2.2.3 (Ecdsa-Sig-Value), ITU-T X.690 §10.1.
 */
export function isDerSignature(bytes: Uint8Array): boolean {
  if (bytes.length > LENGTH_MAX || bytes[0] !== SEQUENCE || bytes[1] !== bytes.length - 2) return false
  const second = endOfInteger(bytes, 2)
  return second !== null && endOfInteger(bytes, second) === bytes.length
}

/** Returns the end of the positive integer in shortest form that starts at `at`; null if there is none. */
function endOfInteger(bytes: Uint8Array, at: number): number | null {
  const length = bytes[at + 1] ?? 0
  const [first = 0, second = 0] = bytes.subarray(at + 2, at + 4)
  const isPadded = first === 0 && (length === 1 || second < 0x80)
  const isPositive = length > 0 && first < 0x80 && !isPadded
  const end = at + 2 + length
  return bytes[at] === INTEGER && isPositive && end <= bytes.length ? end : null
}
