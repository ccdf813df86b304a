import { compileApprovalRules } from '@svc/core/access/approvalRules.ts'
import type { AgentFacts } from '@svc/core/access/facts.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { type ActivityFacts, addOutcome, computeTrustScore, type TrustFacts } from '@svc/core/trustScore.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import { agentStatusOf } from '../agents/agentStatusOf.ts'

/**
 * An agent as the hot path holds it: identity, compiled policy, and what its score is computed from.
 *
 * `trustScoreAt` recomputes the score from cached facts and counters; nothing here is read from the database again
 * until the agent changes.
 */
export type VerifiableAgent = {
  svcId: string
  name: string
  /** `SVCD-` or `SVCO-` of the account that owns it. */
  ownerId: string
  status: AgentRow['status']
  blockchainStatus: AgentRow['blockchainStatus']
  challengeUrl: string | null
  hasPassedChallenge: boolean
  pdlssHash: `0x${string}`
  /** Names the kept text of boundary and approval rules. */
  contextHash: string
  /** Everything of `AgentFacts` but the score, which depends on the moment. */
  facts: Omit<AgentFacts, 'trustScore'>
  trustScoreAt(now: number): number
  /** Counts a recorded outcome into the behaviour the score is made from. */
  countOutcome: AgentBehaviour['count']
}

/** What an agent has done, as far as this process knows. */
export type AgentBehaviour = {
  activity(): ActivityFacts | undefined
  /** Counts a recorded outcome; `now` in epoch milliseconds. */
  count(outcome: { granted: boolean; violated: boolean; sourceId: string }, now: number): void
}

/**
 * Goes on in memory from what the projection has counted: every outcome is in the log as well, so a restart counts the
 * same again.
 */
export function createAgentBehaviour(counted: ActivityFacts | undefined): AgentBehaviour {
  let activity = counted
  return {
    activity: () => activity,
    count({ granted, violated, sourceId }, now) {
      if (granted) activity = addOutcome(activity, { kind: 'granted', sourceId }, now)
      else if (violated) activity = addOutcome(activity, { kind: 'violation', sourceId }, now)
    },
  }
}

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
