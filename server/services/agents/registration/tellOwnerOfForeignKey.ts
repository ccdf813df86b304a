import type { AgentRow } from '../../../store/agents/agentStore.ts'
import { actsForOf } from '../../actsForOf.ts'
import type { RaiseAlert } from '../../alerts/createRaiseAlert.ts'
import type { Principal } from '../../principal.ts'

/**
 * Tells an agent's owner of an API key of another account that tried to use the agent as its own.
 *
 * The owner learns which agent and not who: an account is not shown to another one.
 * Source: `Spec: Alerts` `agent.ownership_mismatch_attempt`.
 */
export function tellOwnerOfForeignKey(
  raiseAlert: RaiseAlert,
  principal: Principal,
  { svcId, ownerId }: Pick<AgentRow, 'svcId' | 'ownerId'>,
  now: number,
): void {
  if (principal.kind !== 'apiKey' || actsForOf(principal).has(ownerId)) return
  raiseAlert(
    {
      ownerId,
      code: 'agent.ownership_mismatch_attempt',
      severity: 'critical',
      subject: svcId,
      data: { agentId: svcId },
    },
    now,
  )
}
