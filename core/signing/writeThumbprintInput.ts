type KeyMembers = {
  readonly crv?: unknown
  readonly kty?: unknown
  readonly x?: unknown
  readonly y?: unknown
}

/**
 * Writes the text whose SHA-256 digest is the thumbprint of a key: the members that define the key, in the order of their
 * names.
 *
 * Source: RFC 7638 §3; RFC 8037 §2.
 */
export function writeThumbprintInput({ crv, kty, x, y }: KeyMembers): string {
  // JSON leaves out the `y` that a key does not have.
  return JSON.stringify({ crv, kty, x, y })
}
