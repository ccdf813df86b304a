import { encodeBase64Url } from '../bytes.ts'
import { sha256 } from '../hash.ts'
import { writeThumbprintInput } from './writeThumbprintInput.ts'

/** The public members of a key that signs for an agent. Source: RFC 7517, RFC 7518 §6.2.1, RFC 8037 §2. */
export type AgentKey = {
  kty: 'OKP' | 'EC'
  crv: 'Ed25519' | 'P-256'
  /** 32 bytes in base64url, as `y`. */
  x: string
  /** Only of a key with `kty` EC. */
  y?: string | undefined
}

/**
 * Computes the identifier of a key, its JWK thumbprint: 43 characters.
 *
 * Only the members that define the key count, so two keys with the same identifier are the same key. Source: RFC 7638 §3,
 * RFC 8037 §2.
 */
export function computeKeyThumbprint(key: AgentKey): string {
  return encodeBase64Url(sha256(writeThumbprintInput(key)))
}
