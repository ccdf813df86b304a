import { createPublicKey, type KeyObject } from 'node:crypto'
import { isJsonObject } from '@svc/core/json.ts'
import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'

/** DER prefix of a raw Ed25519 key. Source: RFC 8410 §4. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Reads a public key as registrations declare it: a JWK, PEM, the DER of that in base64, or a raw Ed25519 key in base64;
 * null for anything else.
 */
export function readDeclaredKey(declared: unknown): KeyObject | null {
  try {
    if (isJsonObject(declared)) {
      const { d: _, ...jwk } = declared
      return createPublicKey({ key: jwk, format: 'jwk' })
    }
    if (typeof declared !== 'string') return null
    if (declared.includes('PUBLIC KEY')) return createPublicKey(declared)
    const raw = Buffer.from(declared, 'base64')
    const key = raw.length === 32 ? Buffer.concat([ED25519_PREFIX, raw]) : raw
    return createPublicKey({ key, format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

/** JWK thumbprint of a declared key; undefined for a key of a kind that agents do not have, such as RSA. */
export function thumbprintOf(declared: unknown): string | undefined {
  const key = readDeclaredKey(declared)
  if (key === null) return undefined
  const isEd25519 = key.asymmetricKeyType === 'ed25519'
  const isP256 = key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  return isEd25519 || isP256 ? computeKeyThumbprint(key.export({ format: 'jwk' }) as AgentKey) : undefined
}
