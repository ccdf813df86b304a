import type { KeyAlgorithm } from './agentSigner.ts'

/** The algorithms of agents' keys as Web Crypto takes them. */
export const WEB_CRYPTO_ALGORITHMS = {
  ed25519: { name: 'Ed25519' },
  'ecdsa-p256-sha256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const satisfies Record<KeyAlgorithm, object>

/** The one algorithm of keys on a curve; undefined for a curve whose keys cannot sign for agents. */
export function findKeyAlgorithm(crv: unknown): KeyAlgorithm | undefined {
  if (crv === 'Ed25519') return 'ed25519'
  return crv === 'P-256' ? 'ecdsa-p256-sha256' : undefined
}
