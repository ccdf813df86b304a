import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'

/**
 * Returns what requests of an agent have to prove: what its owner has set, or else the default.
 *
 * The default for an agent that ever registered a key is `signature`, even if every key is revoked: revoking a stolen key
 * must not open the agent to requests that only name it. Source: docs/agents.md.
 *
 * @param keys All keys of the agent, revoked ones included.
 */
export function resolveMinIdentityProof(
  { minIdentityProof }: Pick<AgentRow, 'minIdentityProof'>,
  keys: readonly unknown[],
): IdentityProof {
  return minIdentityProof ?? (keys.length > 0 ? 'signature' : 'none')
}
