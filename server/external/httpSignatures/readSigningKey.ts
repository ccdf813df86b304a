import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { createEd25519Verifier } from '../ed25519/createEd25519Verifier.ts'

/** Minimum length of an RSA modulus. */
const RSA_BITS_MIN = 2048

/** A public key that verifies signatures with its one algorithm. */
export type SigningKey = {
  /** JWK thumbprint, which is its `keyid`. */
  keyid: string
  /** Name of its algorithm in RFC 9421. */
  alg: string
  /** Whether the key made the signature over the text; false if `alg` names another algorithm. */
  verifies(text: string, signature: Uint8Array, alg: string | undefined): Promise<boolean>
}

type Check = (text: Buffer, signature: Uint8Array) => boolean | Promise<boolean>

/** The name in RFC 9421, and how to prepare a key to check signatures. */
type Algorithm = { name: string; prepare: (key: KeyObject) => Check }

const ED25519: Algorithm = { name: 'ed25519', prepare: (key) => createEd25519Verifier(key) }

const RSA_PSS_SHA512: Algorithm = {
  name: 'rsa-pss-sha512',
  prepare: (key) => (text, signature) =>
    verify('sha512', text, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }, signature),
}

/**
 * Reads a key of a directory; undefined if it is not a signing key for an algorithm of RFC 9421.
 *
 * The key determines the algorithm, never the request, which may name it in any case: the Trusted Agent Protocol writes
 * `Ed25519`. Shared secrets (HMAC) are refused.
 *
 * Source: RFC 9421 §3.3; RFC 7638; RFC 8037.
 */
export async function readSigningKey(jwk: Record<string, unknown>): Promise<SigningKey | undefined> {
  const { kty, crv, use } = jwk
  if (use !== undefined && use !== 'sig') return undefined
  const algorithm = algorithmOf(kty, crv)
  if (algorithm === undefined) return undefined
  try {
    const { d: _, ...publicJwk } = jwk
    const key = createPublicKey({ key: publicJwk, format: 'jwk' })
    const { modulusLength } = key.asymmetricKeyDetails ?? {}
    if (modulusLength !== undefined && modulusLength < RSA_BITS_MIN) return undefined
    const keyid = await calculateJwkThumbprint(publicJwk as JWK, 'sha256')
    const check = algorithm.prepare(key)
    return {
      keyid,
      alg: algorithm.name,
      verifies: async (text, signature, alg) =>
        (alg === undefined || alg.toLowerCase() === algorithm.name) && isSignature(check, text, signature),
    }
  } catch {
    return undefined
  }
}

/** Node throws for some malformed signatures. */
async function isSignature(check: Check, text: string, signature: Uint8Array): Promise<boolean> {
  try {
    return await check(Buffer.from(text), signature)
  } catch {
    return false
  }
}

function algorithmOf(kty: unknown, crv: unknown): Algorithm | undefined {
  if (kty === 'OKP' && crv === 'Ed25519') return ED25519
  if (kty === 'EC' && crv === 'P-256') return ecdsa('ecdsa-p256-sha256', 'sha256')
  if (kty === 'EC' && crv === 'P-384') return ecdsa('ecdsa-p384-sha384', 'sha384')
  return kty === 'RSA' ? RSA_PSS_SHA512 : undefined
}

function ecdsa(name: string, hash: string): Algorithm {
  return {
    name,
    prepare: (key) => (text, signature) => verify(hash, text, { key, dsaEncoding: 'ieee-p1363' }, signature),
  }
}
