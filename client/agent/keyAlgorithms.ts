import type { KeyAlgorithm } from './agentSigner.ts'

const KINDS = {
  ed25519: { name: 'Ed25519' },
  'ecdsa-p256-sha256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const satisfies Record<KeyAlgorithm, object>

/** The algorithm of an agent's key as Web Crypto takes it. */
export function webCryptoAlgorithmOf(algorithm: KeyAlgorithm): (typeof KINDS)[KeyAlgorithm] {
  return KINDS[algorithm]
}

/** The one algorithm of keys on a curve; undefined for a curve whose keys cannot sign for agents. */
export function findKeyAlgorithm(crv: unknown): KeyAlgorithm | undefined {
  if (crv === 'Ed25519') return 'ed25519'
  return crv === 'P-256' ? 'ecdsa-p256-sha256' : undefined
}
