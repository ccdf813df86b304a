import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IntentClaims } from '@svc/core/signing/intentClaims.ts'

const FOLDER = join(import.meta.dirname, '../vectors')

type Jwk = { kty: 'OKP' | 'EC'; crv: 'Ed25519' | 'P-256'; x: string; y?: string; d: string; kid: string }

/** A signed request, with the private key. */
export type RequestVector = {
  key?: Jwk
  ethereum?: { privateKey: `0x${string}`; address: `0x${string}`; chainId: number }
  request: { method: string; url: string; headers: Record<string, string>; body?: string }
  signatureBase: string
  signatureInput: string
  signature: string
}

/** An intent proof, with the private key. */
export type IntentVector = {
  key: Jwk
  header: { typ: string; alg: 'EdDSA' | 'ES256'; kid: string }
  payload: IntentClaims
  /** The body whose hash the proof states. */
  body: string
  proof: string
}

export const REQUEST_VECTORS = ['ed25519-get', 'ed25519-post', 'p256-post', 'erc8128-post'] as const
export const INTENT_VECTORS = ['intent-ed25519', 'intent-p256'] as const

/** Reads an example of a signed request, as docs/agents.md publishes it. */
export function readRequestVector(name: (typeof REQUEST_VECTORS)[number]): RequestVector {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))
}

/** Reads an example of an intent proof. */
export function readIntentVector(name: (typeof INTENT_VECTORS)[number]): IntentVector {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))
}
