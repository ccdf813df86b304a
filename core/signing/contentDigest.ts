import { writeBytes, writeMember } from './structuredField.ts'

/** Writes `Content-Digest` for the SHA-256 digest of a body. Source: RFC 9530 §2. */
export function writeContentDigest(sha256: Uint8Array): string {
  return writeMember('sha-256', writeBytes(sha256))
}

const KEY = '[a-z*][a-z0-9_.*-]*'
/** The value of a parameter: a text, bytes, a boolean, a number or date, or a token. */
const VALUE = String.raw`"(?:[ !#-[\]-~]|\\["\\])*"|:[A-Za-z0-9+/=]*:|\?[01]|@?-?[0-9]+(?:\.[0-9]+)?|[A-Za-z*][!#-'*+.^_\x60|~0-9A-Za-z:/-]*`
/** One member with what follows it. Parameters are allowed and say nothing. */
const MEMBER = new RegExp(
  `[ \\t]*(${KEY})=:([A-Za-z0-9+/]*={0,2}):(?:; *${KEY}(?:=(?:${VALUE}))?)*[ \\t]*(,|$)`,
  'y',
)

/**
 * Parses `Content-Digest` into the digests by algorithm, as texts in base64; null for a text that is not one.
 *
 * Parameters of members are ignored. An algorithm that is named twice is refused, although a structured field allows it: it
 * must not depend on the reader which digest counts. A digest is compared as a text, of which an encoder writes only one.
 *
 * Source: RFC 9530 §2; RFC 9651 §4.2.2.
 */
export function parseContentDigest(header: string): ReadonlyMap<string, string> | null {
  const digests = new Map<string, string>()
  for (MEMBER.lastIndex = 0; ; ) {
    const [, algorithm, digest, end] = MEMBER.exec(header) ?? []
    if (algorithm === undefined || digest === undefined || digests.has(algorithm)) return null
    digests.set(algorithm, digest)
    if (end === '') return digests
  }
}

/** 32 bytes in base64, as an encoder writes them: the last two bits of the last character are zero. */
const SHA256 = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

/** Returns the SHA-256 digest that `Content-Digest` states, in base64; undefined if it states none. */
export function readSha256Digest(header: string): string | undefined {
  const digest = parseContentDigest(header)?.get('sha-256')
  return digest !== undefined && SHA256.test(digest) ? digest : undefined
}
