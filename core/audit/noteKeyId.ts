import { sha256 } from '../hash.ts'

/** The type of Ed25519 signatures over the text of a note. */
const ED25519 = 0x01

/**
 * What a note's signature line and a verifier key say of an Ed25519 key: its id of four bytes, and the key behind its type.
 *
 * The id finds a key and proves nothing; the signature does.
 *
 * Source: C2SP signed-note, "Signatures" and "Ed25519 signatures".
 */
export function noteKeyId(name: string, publicKey: Uint8Array): { keyId: Uint8Array; typedKey: Uint8Array } {
  if (publicKey.length !== 32) throw new Error(`an Ed25519 key has 32 bytes, not ${publicKey.length}`)
  const typedKey = Uint8Array.of(ED25519, ...publicKey)
  const keyId = sha256(Uint8Array.of(...new TextEncoder().encode(name), 0x0a, ...typedKey)).subarray(0, 4)
  return { keyId, typedKey }
}
