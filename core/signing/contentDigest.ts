import { writeBytes, writeMember } from './structuredField.ts'

/** Writes `Content-Digest` for the SHA-256 digest of a body. Source: RFC 9530 §2. */
export function writeContentDigest(sha256: Uint8Array): string {
  return writeMember('sha-256', writeBytes(sha256))
}

const MEMBER = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):$/

/**
 * Parses `Content-Digest` into the digests by algorithm, as texts in base64; null for a text that is not one.
 *
 * An algorithm that is named twice, or a member with parameters, is refused, although a structured field allows both: it
 * must not depend on the reader which digest counts. A digest is compared as a text, of which an encoder writes only one.
 *
 * Source: RFC 9530 §2; RFC 9651 §4.2.2.
 */
export function parseContentDigest(header: string): ReadonlyMap<string, string> | null {
  const digests = new Map<string, string>()
  for (const member of header.split(',')) {
    const [, algorithm, digest] = MEMBER.exec(member.trim()) ?? []
    if (algorithm === undefined || digest === undefined || digests.has(algorithm)) return null
    digests.set(algorithm, digest)
  }
  return digests
}

/** 32 bytes in base64, as an encoder writes them: the last two bits of the last character are zero. */
const SHA256 = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

/** Returns the SHA-256 digest that `Content-Digest` states, in base64; undefined if it states none. */
export function readSha256Digest(header: string): string | undefined {
  const digest = parseContentDigest(header)?.get('sha-256')
  return digest !== undefined && SHA256.test(digest) ? digest : undefined
}
