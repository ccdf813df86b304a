import type { Sodium } from './sodium.ts'

/** One signature to check. */
export type SignatureCheck = { key: Uint8Array; text: Uint8Array; signature: Uint8Array }

/** Several checks as one message, in few parts, because each costs time. */
export type SignatureGroup = { bytes: Uint8Array<ArrayBuffer>; ends: Uint32Array<ArrayBuffer> }

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const FIXED_BYTES = KEY_BYTES + SIGNATURE_BYTES

/** Packs checks into a message: key, signature and text of each, one after the other, and where each ends. */
export function packGroup(checks: readonly SignatureCheck[]): SignatureGroup {
  const size = checks.reduce((sum, { text }) => sum + FIXED_BYTES + text.length, 0)
  const bytes = new Uint8Array(size)
  const ends = new Uint32Array(checks.length)
  let end = 0
  checks.forEach(({ key, text, signature }, nth) => {
    bytes.set(key, end)
    bytes.set(signature, end + KEY_BYTES)
    bytes.set(text, end + FIXED_BYTES)
    end += FIXED_BYTES + text.length
    ends[nth] = end
  })
  return { bytes, ends }
}

/** Checks a group: 1 for each valid signature and 0 for each other, in its order. */
export function verifyGroup(
  library: Sodium | null,
  { bytes, ends }: SignatureGroup,
): Uint8Array<ArrayBuffer> {
  let start = 0
  return Uint8Array.from(ends, (end) => {
    const [key, signature, text] = [
      bytes.subarray(start, start + KEY_BYTES),
      bytes.subarray(start + KEY_BYTES, start + FIXED_BYTES),
      bytes.subarray(start + FIXED_BYTES, end),
    ]
    start = end
    return library?.crypto_sign_verify_detached(signature, text, key) ? 1 : 0
  })
}
