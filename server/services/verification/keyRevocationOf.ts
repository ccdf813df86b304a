import { sha256Hex } from '@svc/core/hash.ts'

/** 128 bits. */
const ID_DIGITS = 32

/**
 * The identifier under which it is stored among the used proofs that a key of an agent is revoked.
 *
 * The decision on a request reads it together with the earlier uses of the request’s proofs: another process may learn of
 * the revocation only milliseconds after it was returned to the owner.
 */
export function keyRevocationOf({ agentId, kid }: { agentId: string; kid: string }): string {
  return `revoked-${sha256Hex(`${agentId} ${kid}`).slice(0, ID_DIGITS)}`
}
