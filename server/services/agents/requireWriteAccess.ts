import type { AgentRow } from '../../store/agents/agentStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { RaiseAlert } from '../alerts/createRaiseAlert.ts'
import type { Principal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'

export type RequireWriteAccessDeps = { raiseAlert: RaiseAlert }

/**
 * Requires that the caller may change an agent, and alerts the owner when another account's API key tried to.
 *
 * A viewer of the owning organisation is refused without an alert.
 *
 * @throws ApiError FORBIDDEN, ORGANIZATION_SUSPENDED. Source: `Spec: Alerts` `agent.ownership_mismatch_attempt`.
 */
export function requireWriteAccess(
  { raiseAlert }: RequireWriteAccessDeps,
  principal: Principal,
  agent: Pick<AgentRow, 'svcId' | 'ownerId' | 'name'>,
  now: number,
): void {
  tellOwnerOfForeignKey(raiseAlert, principal, agent, now)
  requireWriter(principal, agent.ownerId)
}

/**
 * Alerts an agent's owner that an API key of another account tried to use the agent as its own.
 *
 * The alert names the agent but not the other account, because accounts are not revealed to one another. Source: `Spec:
 * Alerts` `agent.ownership_mismatch_attempt`.
 */
export function tellOwnerOfForeignKey(
  raiseAlert: RaiseAlert,
  principal: Principal,
  { svcId, ownerId, name }: Pick<AgentRow, 'svcId' | 'ownerId' | 'name'>,
  now: number,
): void {
  if (principal.kind !== 'apiKey' || actsForOf(principal).has(ownerId)) return
  raiseAlert(
    {
      ownerId,
      code: 'agent.ownership_mismatch_attempt',
      severity: 'critical',
      subject: svcId,
      data: { agentId: svcId, agentName: name },
    },
    now,
  )
}
