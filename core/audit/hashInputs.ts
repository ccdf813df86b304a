import { decodeHex } from '../bytes.ts'
import { sha256Hex } from '../hash.ts'

const encoder = new TextEncoder()

/** Salt and text before they are hashed, filled anew at each call; nothing else runs in between. */
let salted = new Uint8Array(4096)

/**
 * The commitment to what a decision was made upon: SHA-256(salt ‖ canonical JSON of the inputs), as 0x-hex.
 *
 * The salt is 16 random bytes of its own (`saltHex`, 32 digits), kept with the record and never in the public
 * entry: inputs are often guessable, and without the salt nobody can try guesses against the hash. Who is shown
 * salt and inputs can check both against the anchored entry.
 *
 * @throws Error when the salt is not 16 bytes.
 *
 * Source: verification.md "Decisions are reproducible"; onchain.md "The audit log".
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
