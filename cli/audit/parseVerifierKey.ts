import { createPublicKey, type KeyObject } from 'node:crypto'
import { encodeNoteKey } from '@svc/core/audit/checkpoint.ts'
import { decodeBase64, encodeHex } from '@svc/core/bytes.ts'

/** A key that verifies signed notes. */
export type VerifierKey = {
  name: string
  keyId: string
  key: KeyObject
  /** Keys that it has handed over to, of which any may have signed instead. */
  successors?: readonly VerifierKey[]
}

/**
 * Parses an Ed25519 verifier key: `<name>+<key id>+<type and key in base64>`.
 *
 * @throws Error with a message for the auditor.
 * Source: C2SP signed-note "Ed25519 signatures".
 */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name = '', id = '', encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  const typed = decodeBase64(encoded)
  if (typed === null || typed.length !== 33 || typed[0] !== 1) {
    throw new Error('--log-key must be an Ed25519 verifier key: name+id+base64')
  }
  const raw = typed.subarray(1)
  const keyId = encodeHex(encodeNoteKey(name, raw).keyId)
  if (keyId !== `0x${id}`) throw new Error('the key id in --log-key does not match its name and key')
  const x = Buffer.from(raw).toString('base64url')
  return { name, keyId, key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }) }
}
