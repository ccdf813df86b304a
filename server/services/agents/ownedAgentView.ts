import type { AgentRow } from '../../store/agentStore.ts'
import { publicAgentView } from './publicAgentView.ts'

/**
 * An agent as its owner sees it: everything, with the declared blocks under their own names, as they were registered.
 *
 * Source: api.md "Agents".
 */
export function ownedAgentView(agent: AgentRow, trustScore: number, publicUrl: string) {
  return {
    ...agent.declarations,
    ...publicAgentView(agent, trustScore, publicUrl),
    id: agent.id,
    ownerIdentifier: agent.ownerId,
    apiEndpoint: agent.apiEndpoint,
    model: agent.model,
    framework: agent.framework,
    pdlss: agent.pdlss,
    pdlssHash: agent.pdlssHash,
    pdlssSalt: agent.pdlssSalt,
    approvalRules: agent.approvalRules,
    certifications: agent.certifications,
    registrationFileHash: agent.registrationFileHash,
    updatedAt: new Date(agent.updatedAt).toISOString(),
  }
}
