/**
 * The identifier under which it is stored among the used proofs that a key of an agent is revoked. That of a proof consists
 * of hexadecimal digits and a hyphen, so the two are never alike.
 *
 * The decision on a request reads it together with the earlier uses of the request’s proofs: another process may learn of
 * the revocation only milliseconds after it was returned to the owner.
 */
export function keyRevocationOf({ agentId, kid }: { agentId: string; kid: string }): string {
  return `revoked ${agentId} ${kid}`
}
