import type { WriteAs } from '../accounts/writeAs.ts'
import type { SessionPrincipal } from '../principal.ts'
import { findOwnAgent } from './findOwnAgent.ts'
import { type AgentStep, moveAgentStatus } from './moveAgentStatus.ts'
import type { SettleSubAgentsDeps } from './registration/settleSubAgents.ts'

export type ChangeAgentStatusDeps = SettleSubAgentsDeps & {
  publishFile(svcId: string): Promise<void>
  onAgentChanged(svcId: string): void
  writeAs: WriteAs
}

export type ChangeAgentStatusInput = { id: string; principal: SessionPrincipal; now: number }

/**
 * Suspends, resumes or permanently retires an agent; from the response on, requests of an inactive agent are denied.
 *
 * The `active` member of the registration file and the commitment to the file follow, as do the agent's sub-agents. The
 * token does not change, because its URI points to the file.
 *
 * @returns The agent's identifier.
 * @throws ApiError NOT_FOUND, as `requireWriter`, INVALID_STATE for an impossible transition. Source:
 * docs/decisions/0012.
 */
export async function changeAgentStatus(
  deps: ChangeAgentStatusDeps,
  step: AgentStep,
  { id, principal, now }: ChangeAgentStatusInput,
): Promise<string> {
  const { svcId, ownerId } = await findOwnAgent(deps.agents, { id, principal, toWrite: true })
  const changed = await deps.writeAs({ principal, ownerId }, 'alone', (trx) =>
    moveAgentStatus(deps, trx, step, { svcId, changedBy: principal.userId, now }),
  )
  for (const id of changed) deps.onAgentChanged(id)
  for (const id of changed) await deps.publishFile(id)
  return svcId
}
