import { compileApprovalRules } from '@svc/core/access/approvalRules.ts'
import type { AgentFacts } from '@svc/core/access/facts.ts'
import type { ForeignName } from '@svc/core/foreign/foreignName.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import {
  type ActivityFacts,
  addOutcome,
  computeTrustScore,
  type OutcomeSource,
} from '@svc/core/trustScore.ts'
import type { ProofKey } from '../../../external/proofs/proof.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { OwnerRecord } from '../../../store/agents/ownerFactsStore.ts'
import { agentStatusOf } from '../../agents/agentStatusOf.ts'
import type { AgentRequirements } from '../../agents/findInheritedRequirements.ts'
import { trustFactsOf } from '../../agents/trustFactsOf.ts'
import type { AdoptedToken } from '../../foreign/compareToken.ts'
import type { CapHolders } from '../findCapHolders.ts'

/**
 * An agent as the hot path uses it: identity, compiled policy and the inputs of its score.
 *
 * `trustScoreAt` computes the score from cached facts and counters; the database is not read again until the agent changes.
 */
export type VerifiableAgent = {
  svcId: string
  /** What it may call itself in a proof (`ProvableAgent`). */
  names: readonly [string, ...string[]]
  /**
   * The token by which its owner adopted it, whose owner and wallet have to be confirmed; null for an agent of this
   * registry.
   */
  adopted: ({ name: ForeignName } & AdoptedToken) | null
  name: string
  /** `SVCD-` or `SVCO-` of the account that owns it. */
  ownerId: string
  status: AgentRow['status']
  blockchainStatus: AgentRow['blockchainStatus']
  challengeUrl: string | null
  hasPassedChallenge: boolean
  /** The keys with which its requests can be signed, oldest first; revoked ones included. */
  keys: readonly ProofKey[]
  /** Ethereum accounts that sign for it, in lower case: see `listSigningAccounts`. */
  accounts: readonly string[]
  /** Those that obtain agent tokens for it. */
  obtainers: readonly string[]
  /** Those with which it pays: without the wallets that its owner has only linked. */
  payers: readonly string[]
  /** Those that are proven to be its owner's or its own, in lower case: also by a credential of the agent. */
  provenAccounts: readonly string[]
  /** Whether `accounts` are of another chain (`ProvableAgent`). */
  hasForeignAccounts: boolean
  /** The blocks of its protocols, against which payment mandates are checked. */
  declarations: AgentRow['declarations']
  pdlssHash: `0x${string}`
  /** Identifies the stored boundary and approval rules. */
  contextHash: string
  /** `AgentFacts` without the score, which depends on the time. */
  facts: Omit<AgentFacts, 'trustScore'>
  trustScoreAt(now: number): number
  /** Adds a recorded outcome to the behaviour on which the score is based. */
  countOutcome: AgentBehaviour['count']
} & CapHolders

/** The behaviour of an agent, as far as this process knows. */
export type AgentBehaviour = {
  activity(): ActivityFacts | undefined
  /** Counts a recorded outcome; `now` in epoch milliseconds. */
  count(outcome: { granted: boolean; violated: boolean; source: OutcomeSource }, now: number): void
}

/**
 * Continues the counts of the projection in memory. Every outcome is in the log as well, so a restart arrives at the same
 * counts.
 */
export function createAgentBehaviour(counted: ActivityFacts | undefined): AgentBehaviour {
  let activity = counted
  return {
    activity: () => activity,
    count({ granted, violated, source }, now) {
      if (granted) activity = addOutcome(activity, { kind: 'granted', source }, now)
      else if (violated) activity = addOutcome(activity, { kind: 'violation', source }, now)
    },
  }
}

/** What is read beside the row of an agent; the requirements include those of its ancestors. */
type LoadedParts = Pick<
  VerifiableAgent,
  | 'names'
  | 'adopted'
  | keyof CapHolders
  | 'keys'
  | 'accounts'
  | 'obtainers'
  | 'payers'
  | 'provenAccounts'
  | 'contextHash'
> &
  AgentRequirements & {
    owner: OwnerRecord | null
    behaviour: AgentBehaviour
  }

/** Compiles a stored agent for the hot path. */
export function loadVerifiableAgent(
  row: AgentRow,
  { minIdentityProof, requiredFacts, owner, behaviour, ...loaded }: LoadedParts,
): VerifiableAgent {
  const status = agentStatusOf(row, owner)
  const facts = trustFactsOf(row, owner)
  return {
    svcId: row.svcId,
    name: row.name,
    ownerId: row.ownerId,
    ...loaded,
    status,
    blockchainStatus: row.blockchainStatus,
    hasForeignAccounts: row.foreignToken !== null,
    challengeUrl: row.apiEndpoint,
    declarations: row.declarations,
    hasPassedChallenge: row.challengePassedAt !== null,
    pdlssHash: row.pdlssHash,
    facts: {
      svcId: row.svcId,
      ownerIdentifiers: [row.ownerId],
      status,
      certifications: row.certifications,
      policy: compilePolicy(row.pdlss, 'agent'),
      ...(loaded.ancestorRates.length > 0 && {
        ancestorMaxTransactionsPerHour: loaded.ancestorRates.map(({ max }) => max),
      }),
      approvalRules: compileApprovalRules(row.approvalRules),
      minIdentityProof,
      requiredFacts,
    },
    trustScoreAt: (now) => computeTrustScore({ ...facts, activity: behaviour.activity() }, now),
    countOutcome: behaviour.count,
  }
}
