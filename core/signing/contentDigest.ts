import { decodeBase64 } from '../bytes.ts'
import { writeBytes, writeMember } from './structuredField.ts'

/** Writes `Content-Digest` for the SHA-256 digest of a body. Source: RFC 9530 §2. */
export function writeContentDigest(sha256: Uint8Array): string {
  return writeMember('sha-256', writeBytes(sha256))
}

const MEMBER = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):$/

/**
 * Parses `Content-Digest` into the digests by algorithm; null for a text that is not one.
 *
 * An algorithm that is named twice, or a member with parameters, is refused, although a structured field allows both: it
 * must not depend on the reader which digest counts. Source: RFC 9530 §2; RFC 9651 §4.2.2.
 */
export function parseContentDigest(header: string): ReadonlyMap<string, Uint8Array> | null {
  const digests = new Map<string, Uint8Array>()
  for (const member of header.split(',')) {
    const [, algorithm, text] = MEMBER.exec(member.trim()) ?? []
    const digest = text === undefined ? null : decodeBase64(text)
    if (algorithm === undefined || digest === null || digests.has(algorithm)) return null
    digests.set(algorithm, digest)
  }
  return digests
}

const SHA256_BYTES = 32

/** Returns the SHA-256 digest that `Content-Digest` states; undefined if it states none. */
export function readSha256Digest(header: string): Uint8Array | undefined {
  const digest = parseContentDigest(header)?.get('sha-256')
  return digest?.length === SHA256_BYTES ? digest : undefined
}
