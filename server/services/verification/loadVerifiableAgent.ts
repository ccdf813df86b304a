import { compileApprovalRules } from '@svc/core/access/approvalRules.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { computeTrustScore, type TrustFacts } from '@svc/core/trustScore.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import { agentStatusOf } from '../agents/agentStatusOf.ts'
import type { AgentBehaviour } from './agentBehaviour.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'

/** Compiles a stored agent for the hot path. */
export function loadVerifiableAgent(
  row: AgentRow,
  facts: Pick<TrustFacts, 'origin' | 'owner'>,
  behaviour: AgentBehaviour,
  contextHash: string,
): VerifiableAgent {
  const status = agentStatusOf(row)
  return {
    svcId: row.svcId,
    name: row.name,
    ownerId: row.ownerId,
    status,
    blockchainStatus: row.blockchainStatus,
    challengeUrl: row.apiEndpoint,
    hasPassedChallenge: row.challengePassedAt !== null,
    pdlssHash: row.pdlssHash,
    contextHash,
    facts: {
      svcId: row.svcId,
      ownerIdentifiers: [row.ownerId],
      status,
      certifications: row.certifications,
      policy: compilePolicy(row.pdlss, 'agent'),
      approvalRules: compileApprovalRules(row.approvalRules),
    },
    trustScoreAt: (now) => computeTrustScore({ ...facts, activity: behaviour.activity() }, now),
    countOutcome: behaviour.count,
  }
}
