import type { BlockchainDelay } from '@svc/core/contract/agents.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { AgentToken } from '../../store/agents/tokenStore.ts'
import type { AssessedAgent } from './assessAgent.ts'
import { toPublicAgentView } from './publicAgentView.ts'
import type { TokenAction } from './token/listTokenActions.ts'

type OwnersFacts = AssessedAgent & {
  delay: BlockchainDelay | null
  token: AgentToken | null
  tokenUri: string
  toSign: TokenAction[]
  handOver: object | null
  /** Closest ancestor first. */
  parents: object[]
  /** Number of descendants on all levels that are not retired. */
  subAgentCount: number
}

/** An agent as its owner sees it: all members, with the declared blocks under their own names, as registered. */
export function toOwnedAgentView(
  agent: AgentRow,
  { toSign, handOver, parents, subAgentCount, delay, ...facts }: OwnersFacts,
  publicUrl: string,
) {
  return {
    ...agent.declarations,
    ...toPublicAgentView(agent, facts, publicUrl),
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
    parentAgentId: agent.parentAgentId,
    parents,
    subAgentCount,
    blockchainDelay: delay,
    tokenActions: toSign,
    handOver,
    registrationFileHash: agent.registrationFileHash,
    updatedAt: new Date(agent.updatedAt).toISOString(),
  }
}
