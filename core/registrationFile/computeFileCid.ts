import { decodeHex } from '../bytes.ts'

/** CIDv1, codec `raw`, multihash sha2-256 of 32 bytes. */
const PREFIX = [0x01, 0x55, 0x12, 0x20]
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * Computes the content identifier of a file that IPFS stores as one raw block, from the hash of its bytes.
 *
 * The identifier can be checked by hashing the file, so an IPFS node that returns another one has stored something else.
 *
 * @param sha256 64 hexadecimal digits. @returns `bafkrei…`, 59 characters.
 * Source: CIDv1 of the multiformats project; RFC 4648 §6 (base32, lower case, without padding).
 */
export function computeFileCid(sha256: string): string {
  let text = 'b'
  let bits = 0
  let value = 0
  for (const byte of [...PREFIX, ...decodeHex(`0x${sha256}`)]) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET[(value >> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + ALPHABET[(value << (5 - bits)) & 31]
}
