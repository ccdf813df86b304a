import { createPublicKey, type KeyObject } from 'node:crypto'
import { base58btc } from 'multiformats/bases/base58'

/** Multicodec prefix, key length, and the DER prefix that completes a SubjectPublicKeyInfo. */
const KINDS = [
  { codec: 'ed01', length: 32, der: '302a300506032b6570032100' },
  { codec: '8024', length: 33, der: '3039301306072a8648ce3d020106082a8648ce3d030107032200' },
  { codec: 'e701', length: 33, der: '3036301006072a8648ce3d020106052b8104000a032200' },
] as const

/**
 * Reads the public key of a multibase text as in did:key: Ed25519, or compressed P-256 or secp256k1; null for anything
 * else. Source: did:key method §3; Multicodec table; RFC 8410; SEC 1 §2.3.3.
 */
export function readMultikey(text: string): KeyObject | null {
  try {
    const bytes = Buffer.from(base58btc.decode(text))
    const codec = bytes.subarray(0, 2).toString('hex')
    const kind = KINDS.find((each) => each.codec === codec && bytes.length === each.length + 2)
    if (kind === undefined || base58btc.encode(bytes) !== text) return null
    const key = Buffer.concat([Buffer.from(kind.der, 'hex'), bytes.subarray(2)])
    return createPublicKey({ key, format: 'der', type: 'spki' })
  } catch {
    return null
  }
}
