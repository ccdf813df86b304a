import { createPublicKey, type KeyObject } from 'node:crypto'
import { encodeNoteKey } from '@svc/core/audit/checkpoint.ts'
import { decodeBase64, encodeHex } from '@svc/core/bytes.ts'

/** A key that signs notes. */
export type VerifierKey = { name: string; keyId: string; key: KeyObject }

/**
 * Reads a verifier key, `<name>+<key id>+<type and key in base64>`, of the Ed25519 kind.
 *
 * @throws Error whose message is a sentence for the auditor.
 * Source: C2SP signed-note "Ed25519 signatures".
 */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name = '', id = '', encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  const typed = decodeBase64(encoded)
  if (typed === null || typed.length !== 33 || typed[0] !== 1) {
    throw new Error('--log-key has to be an Ed25519 verifier key: name+id+base64')
  }
  const raw = typed.subarray(1)
  const keyId = encodeHex(encodeNoteKey(name, raw).keyId)
  if (keyId !== `0x${id}`) throw new Error('--log-key has an id that is not that of its name and key')
  const x = Buffer.from(raw).toString('base64url')
  return { name, keyId, key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }) }
}
