import { sha256 } from '../hash.ts'

/**
 * The hash of one audit entry as a leaf of the log: SHA-256(0x00 ‖ entry).
 *
 * The prefix keeps leaves and inner nodes apart, so that no node can be passed off as an entry. A string stands
 * for its UTF-8 bytes; U+0000 in front of it is that prefix byte, which saves a copy on the way to the hash.
 *
 * Source: RFC 9162 §2.1.1; onchain.md "The audit log".
 */
export function leafHash(entry: Uint8Array | string): Uint8Array {
  if (typeof entry === 'string') return sha256(`\0${entry}`)
  const prefixed = new Uint8Array(entry.length + 1)
  prefixed.set(entry, 1)
  return sha256(prefixed)
}
