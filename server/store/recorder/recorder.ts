import type { NewAuditRecord } from '../audit/newAuditRecord.ts'

/** Which counters a decision needs, read inside the transaction that records it. */
export type CounterQuery = {
  agentId: string
  endpointId: string
  /** Epoch milliseconds; grants after it count. */
  since: number
  /** Names whose grants are counted, the agent's and the agent's at this endpoint; null where no cap applies. */
  agentScope: string | null
  endpointScope: string | null
  countAgentSubAgents: boolean
  countEndpointSubAgents: boolean
  /** Bucket of the endpoint's cumulative spend, e.g. `day:1795219200000`; null when there is no such cap. */
  spendPeriod: string | null
}

/** Exact values at the moment of the commit; null for what was not asked. */
export type CounterValues = {
  agentGrants: number | null
  endpointGrants: number | null
  agentSubAgents: number | null
  endpointSubAgents: number | null
  /** Exact decimal text. */
  cumulativeSpend: string | null
}

/** A step-up approval as a decision sees it. */
export type ApprovalState = {
  id: string
  requestHash: string
  dimensions: readonly string[]
  status: string
  /** Given by a passkey assertion made for it. Absent in the inputs of decisions recorded before this was stored. */
  hasFreshAssertion?: boolean
  createdAt: number
  expiresAt: number
}

/** What one outcome writes, all of it in one transaction. */
export type Commitment<Result> = {
  records: readonly NewAuditRecord[]
  /** A granted transaction, once for each hourly cap it counts under; what is not after `since` is forgotten. */
  grants: readonly { scope: string; grantedAt: number; since: number }[]
  /** New total of a cumulative spend bucket, exact decimal text. */
  spend: { endpointId: string; agentId: string; period: string; total: string } | null
  /** A granted creation of a sub-agent. */
  subAgent: { agentId: string; endpointId: string; grantedAt: number } | null
  newApproval: NewApproval | null
  consumedApprovalId: string | null
  result: Result
  /** What the request will be answered, to be kept with its Idempotency-Key. */
  buildAnswer?(): object
}

export type NewApproval = {
  id: string
  agentId: string
  ownerId: string
  /** Owner of the endpoint: the other party of what becomes of the approval. */
  counterpartyOwnerId: string
  endpointId: string | null
  apiKeyId: string
  attemptId: string
  requestHash: string
  /** JSON text of the request as the owner will see it. */
  request: string
  dimensions: readonly string[]
  needsFreshAssertion: boolean
  /** 16 random bytes in hex that make the challenge of its assertion unguessable. */
  challengeSalt: string
  createdAt: number
  expiresAt: number
}

/**
 * A decision waiting for its commit.
 *
 * `decide` runs inside the transaction with exact counters, so that no two requests can both take the last place
 * under a cap; it is synchronous, pure and quick, and never throws.
 */
export type RecordIntent<Result> = {
  counters: CounterQuery | null
  approval: { agentId: string; attemptId: string; now: number } | null
  /** The use of an Idempotency-Key it is made under, marked in the same transaction if it writes; it fails when that is lost. */
  claimId?: string
  /** The text that such a use keeps of an answer. */
  sealAnswer?(answer: object): string
  decide(counters: CounterValues, approval: ApprovalState | null): Commitment<Result>
}

/** Writes outcomes durably; one implementation a database. */
export type Recorder = {
  /**
   * Decides and records; resolves only after the commit is on disk.
   *
   * @throws ApiError SERVICE_UNAVAILABLE when it could not be committed: nothing of the outcome is then stored.
   */
  record<Result>(intent: RecordIntent<Result>): Promise<Result>
  /** Null while healthy; the sentence of what stopped it after a failed sync. */
  failure(): string | null
  /** Commits what waits and closes the connection. */
  close(): Promise<void>
}

/** The failure of a request so slow that another one has taken its Idempotency-Key over; it must write nothing. */
export function lostClaimError(): Error {
  return new Error('the request lost its Idempotency-Key to a later one')
}

/** What the use of an Idempotency-Key keeps of an outcome; null for one that is under none, or is not answered. */
export function sealUseCaseAnswer(
  { sealAnswer: keep }: Pick<RecordIntent<unknown>, 'sealAnswer'>,
  { buildAnswer: answer }: Pick<Commitment<unknown>, 'buildAnswer'>,
): string | null {
  return keep === undefined || answer === undefined ? null : keep(answer())
}
