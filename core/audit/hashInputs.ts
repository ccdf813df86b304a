import { decodeHex } from '../bytes.ts'
import { sha256Hex } from '../hash.ts'

const encoder = new TextEncoder()

/** A buffer for salt and text, which every call overwrites; the code between filling and hashing is synchronous. */
let salted = new Uint8Array(4096)

/**
 * Commits to the inputs of a decision: SHA-256(salt ‖ canonical JSON of the inputs), as `0x` and hexadecimal digits.
 *
 * The salt is 16 random bytes (`saltHex`, 32 digits) that are stored with the record and never in the public entry. Inputs
 * are often guessable, and without the salt no one can test guesses against the hash. A party that gets salt and inputs can
 * check both against the anchored entry.
 *
 * @throws Error when the salt is not 16 bytes.
 *
 * Source: docs/auditing.md.
 */
export function hashInputs(saltHex: string, inputs: string): `0x${string}` {
  const salt = decodeHex(saltHex)
  if (salt.length !== 16) throw new Error(`the salt of inputs has 16 bytes, not ${salt.length}`)
  // A UTF-16 unit becomes at most three bytes of UTF-8.
  const lengthMax = 16 + inputs.length * 3
  if (salted.length < lengthMax) salted = new Uint8Array(lengthMax)
  salted.set(salt)
  const { written } = encoder.encodeInto(inputs, salted.subarray(16))
  return `0x${sha256Hex(salted.subarray(0, 16 + written))}`
}
