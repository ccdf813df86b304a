import { apiError } from '../../errors.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'

/** An agent's certifications in the order in which they were granted. */
export type HeldCertifications = { svcId: string; certifications: string[] }

/** Returns an agent's certifications, for operators. @throws ApiError NOT_FOUND. */
export async function readCertifications(
  { agents }: { agents: Pick<AgentStore, 'byAnyId'> },
  { id }: { id: string },
): Promise<HeldCertifications> {
  const agent = await agents.byAnyId(id)
  if (!agent) throw apiError('NOT_FOUND')
  return { svcId: agent.svcId, certifications: agent.certifications }
}
