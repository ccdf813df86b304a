import type { AgentFacts } from '@svc/core/access/facts.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { AgentBehaviour } from './agentBehaviour.ts'

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
