import { compileApprovalRules } from '@svc/core/access/compileApprovalRules.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { nextActivity } from '@svc/core/trust/nextActivity.ts'
import type { ActivityFacts, TrustFacts } from '@svc/core/trust/trustFacts.ts'
import { trustScore } from '@svc/core/trust/trustScore.ts'
import type { AgentRow } from '../../store/agentStore.ts'
import { agentStatusOf } from '../agents/agentStatusOf.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'

/**
 * Compiles a stored agent for the hot path.
 *
 * Its behaviour starts from what the projection has counted and goes on in memory: every outcome is in the log as
 * well, so a restart counts the same again.
 */
export function loadVerifiableAgent(
  row: AgentRow,
  facts: Pick<TrustFacts, 'origin' | 'owner'>,
  behaviour: ActivityFacts | undefined,
  contextHash: string,
): VerifiableAgent {
  let activity = behaviour
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
    trustScoreAt: (now) => trustScore({ ...facts, activity }, now),
    countOutcome(outcome, now) {
      const { sourceId } = outcome
      if (outcome.granted) activity = nextActivity(activity, { kind: 'granted', sourceId }, now)
      else if (outcome.violated) activity = nextActivity(activity, { kind: 'violation', sourceId }, now)
    },
  }
}
