import type { StandingApproval } from '@svc/core/access/facts.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { NewAuditRecord } from '../audit/newAuditRecord.ts'
import { type DecisionGrounds, groundsOf } from './decisionGrounds.ts'
import type { StandingKey } from './standingKey.ts'

/** The counters that a decision needs, read in the transaction that records it. */
export type CounterQuery = {
  agentId: string
  endpointId: string
  /** Epoch milliseconds; grants after it count. */
  since: number
  /** The scopes whose grants are counted: the agent’s, and the agent’s at this endpoint; null if no cap applies. */
  agentScope: string | null
  endpointScope: string | null
  /** The same of ancestors under whose caps the agent counts, too; none for most agents. */
  ancestorScopes: readonly string[]
  countAgentSubAgents: boolean
  countEndpointSubAgents: boolean
  /** Whose counts of sub-agents these are: the account that asks without proof; null for all proven requests together. */
  window: string | null
  /** Who answers for the endpoints at which pending approvals of the agent are counted; null if they need not be. */
  pendingAt: string | null
  /** Epoch milliseconds; what expired by then does not count. */
  now: number
  /** The cumulative spend at the endpoint; null if it has no such cap. */
  spend: SpendKey | null
  /** The standing approval that could let the request pass; null if none could. */
  standing: StandingKey | null
}

/** A standing approval as a decision reads it. */
export type StandingState = StandingApproval & { id: string }

/** A sum of cumulative spend. */
export type SpendKey = {
  endpointId: string
  /** Whose spend is added up: an agent's, an owner's, or everybody's. */
  agentId: string
  /** Calendar period and currency, for example `day:1795219200000:JPY`. */
  period: string
}

/** Exact values at commit time; null for counters that were not requested. */
export type CounterValues = {
  agentGrants: number | null
  endpointGrants: number | null
  /** In the order of the scopes; null if there are none. */
  ancestorGrants: readonly number[] | null
  agentSubAgents: number | null
  endpointSubAgents: number | null
  /** Approvals of the agent that are pending, at any endpoint and at those that the same person answers for. */
  pendingApprovals: number | null
  pendingApprovalsHere: number | null
  /** Exact decimal text. */
  cumulativeSpend: string | null
  /** The standing approval in force; also null if there is none. */
  standing: StandingState | null
}

/** What identifies an approval to the request that needs it: an attempt id is a name within agent and `placeOfAttempt`. */
export type ApprovalKey = {
  agentId: string
  /** Null if the endpoint is not stored. */
  endpointId: string | null
  /** Owner of the endpoint; who asks, if it is not stored. */
  counterpartyOwnerId: string
  /** In lower case. */
  attemptId: string
}

/**
 * Where an attempt was made: at its endpoint, whoever owns that by now; or, if the endpoint is not stored, with its owner,
 * because anyone may ask at the same URL. Statements write it `coalesce(endpoint_id, counterparty_owner_id)`.
 */
export function placeOfAttempt({
  endpointId,
  counterpartyOwnerId,
}: Pick<ApprovalKey, 'endpointId' | 'counterpartyOwnerId'>): string {
  return endpointId ?? counterpartyOwnerId
}

/** The parts of a step-up approval that a decision uses. */
export type ApprovalState = {
  id: string
  requestHash: string
  dimensions: readonly string[]
  status: string
  /**
   * Whether it was given by a passkey assertion made for it. Absent in the inputs of decisions that were recorded before
   * this was stored.
   */
  hasFreshAssertion?: boolean
  /** What the request proved that was held. Absent likewise, and from approvals older than proofs. */
  identityProof?: IdentityProof | undefined
  createdAt: number
  expiresAt: number
}

/**
 * A proof of identity that is good once: the hash of its key and nonce, and when it expires (epoch milliseconds).
 *
 * `wasHeld`: an earlier use is stored, by a request that was held with it and is decided now.
 */
export type ProofUse = { proof: string; expiresAt: number; wasHeld?: boolean | undefined }

/** An earlier use of a proof. */
export type EarlierUse = {
  /**
   * For what it may be presented again: the approval for which a request was held with it, or the agent for which a payment
   * counts; null if for nothing.
   */
  reusableFor: string | null
  /** Until when it is remembered, in epoch milliseconds; null if that does not matter. */
  expiresAt: number | null
}

/** Traces the commits of groups, each as part of the requests whose outcomes it contains. */
export type TraceGroup = {
  /** The trace of the running request. */
  origin(): unknown
  /** The running span as `traceparent`; null if it is not sampled. */
  traceParent(): string | null
  run<Result>(origins: readonly unknown[], work: () => Result): Result
}

/** The writes of an outcome, all in one transaction. */
export type Commitment<Result> = {
  records: readonly NewAuditRecord[]
  /** The granted transaction, once for each hourly cap it counts under; older grants up to `since` may be deleted. */
  grants: readonly { scope: string; grantedAt: number; since: number }[]
  /** New total of a cumulative spend bucket, exact decimal text. */
  spend: (SpendKey & { total: string }) | null
  /** A granted creation of a sub-agent. */
  subAgent: {
    agentId: string
    endpointId: string
    window: string | null
    /** Null if the request creates no session. */
    sessionId: string | null
    grantedAt: number
    /** When it counts no more, if the session does not end before. */
    expiresAt: number
  } | null
  newApproval: NewApproval | null
  consumedApprovalId: string | null
  /** What is then used of a standing approval that lets the request pass, exact decimal text. */
  standing?: { id: string; used: string } | null
  /** The proofs that the request uses up. */
  usedProofs?: readonly (ProofUse & EarlierUse)[]
  result: Result
  /** Builds the answer to the request, to be stored with its Idempotency-Key. */
  buildAnswer?(): object
}

export type NewApproval = {
  id: string
  agentId: string
  ownerId: string
  /** Owner of the endpoint, the second party of later events about the approval. */
  counterpartyOwnerId: string
  /** Who answers for the endpoint: its developer, or the creator of its organisation. */
  counterpartyAccountId: string
  endpointId: string | null
  apiKeyId: string
  attemptId: string
  requestHash: string
  /** JSON text of the request as shown to the owner. */
  request: string
  dimensions: readonly string[]
  needsFreshAssertion: boolean
  /** 16 random bytes in hex, which make the challenge of its assertion unpredictable. */
  challengeSalt: string
  createdAt: number
  expiresAt: number
}

/**
 * A decision to be made and recorded.
 *
 * `decide` runs inside the transaction with exact counters, so that no two requests can both use the last unit under a cap.
 * It is synchronous, pure and fast, and never throws.
 */
export type RecordIntent<Result> = {
  counters: CounterQuery | null
  approval: ApprovalKey | null
  /** The proofs that the request presents, whose earlier uses the decision has to know. */
  proofs?: readonly string[]
  /**
   * The claim on an Idempotency-Key under which it runs: marked in the same transaction if it writes, and the intent fails
   * if the claim is lost.
   */
  claimId?: string
  /** Set if the transaction has to write something even if the outcome does not, to show that commits reach the disk. */
  isProbe?: true
  /** The sampled span that asks, stored beside the records so that their deliveries continue its trace. */
  traceParent?: string | undefined
  /** Seals an answer, with what it rests on, for storage with such a claim. */
  sealAnswer?(answer: object, grounds: DecisionGrounds): string
  decide(
    counters: CounterValues,
    approval: ApprovalState | null,
    earlierUses: ReadonlyMap<string, EarlierUse>,
  ): Commitment<Result>
}

/** Records outcomes durably; one implementation per database. */
export type Recorder = {
  /**
   * Decides and records; resolves only after the commit is on disk.
   *
   * @throws ApiError SERVICE_UNAVAILABLE if it could not be committed.
   */
  record<Result>(intent: RecordIntent<Result>): Promise<Result>
  /** Null while healthy; otherwise a sentence on why it stopped after a failed sync. */
  failure(): string | null
  /** Whether the last commit failed or is refused by another program. Only another one shows whether the next will. */
  isFailing(): boolean
  /** Whether a decision has used a proof that `used_proofs` does not contain; asked by a use case that uses it up itself. */
  hasUsed(proof: string): boolean
  /** Commits waiting outcomes and closes the connection. */
  close(): Promise<void>
}

/** The counters of a request that needs none. */
export const NO_COUNTERS: CounterValues = {
  agentGrants: null,
  endpointGrants: null,
  ancestorGrants: null,
  agentSubAgents: null,
  endpointSubAgents: null,
  pendingApprovals: null,
  pendingApprovalsHere: null,
  cumulativeSpend: null,
  standing: null,
}

/** The earlier uses of a request that presents no proof. */
export const NO_USES: ReadonlyMap<string, EarlierUse> = new Map()

/** Commits nothing but the fact that a commit is possible. */
export const PROBE: RecordIntent<null> = {
  counters: null,
  approval: null,
  isProbe: true,
  decide: () => ({
    records: [],
    grants: [],
    spend: null,
    subAgent: null,
    newApproval: null,
    consumedApprovalId: null,
    result: null,
  }),
}

/** Returns an outcome with the running span, if that is sampled. */
export function withTraceParent<Result>(
  intent: RecordIntent<Result>,
  traceGroup: TraceGroup | undefined,
): RecordIntent<Result> {
  const traceParent = traceGroup?.traceParent() ?? null
  return traceParent === null ? intent : { ...intent, traceParent }
}

/** Builds the error of a request that was so slow that another one took over its Idempotency-Key; it must write nothing. */
export function lostClaimError(): Error {
  return new Error('a later request took over the Idempotency-Key of this one')
}

/** Seals the answer of an outcome for its Idempotency-Key; null if it has no key or no answer. */
export function sealUseCaseAnswer(
  { sealAnswer: keep, counters }: Pick<RecordIntent<unknown>, 'sealAnswer' | 'counters'>,
  commitment: Pick<Commitment<unknown>, 'buildAnswer' | 'records' | 'standing'>,
): string | null {
  const { buildAnswer: answer } = commitment
  if (keep === undefined || answer === undefined) return null
  return keep(answer(), groundsOf(commitment, counters?.standing ?? null))
}
