import { apiError } from '../../errors.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { HeldCertifications } from './changeCertification.ts'

/** What an agent holds, for operators. @throws ApiError NOT_FOUND. */
export async function readCertifications(
  { agents }: { agents: Pick<AgentStore, 'byAnyId'> },
  { id }: { id: string },
): Promise<HeldCertifications> {
  const agent = await agents.byAnyId(id)
  if (!agent) throw apiError('NOT_FOUND')
  return { svcId: agent.svcId, certifications: agent.certifications }
}
