import { heldProofOf } from './heldProofOf.ts'
import {
  type ApprovalKey,
  type ApprovalState,
  type CounterQuery,
  type CounterValues,
  type EarlierUse,
  placeOfAttempt,
  type SpendKey,
  type StandingState,
} from './recorder.ts'
import type { RecorderStatements } from './recorderStatements.sqlite.ts'
import type { StandingKey } from './standingKey.ts'

/** Reads the values of the counters on which a decision depends. */
export function readCounters(statements: RecorderStatements, query: CounterQuery): CounterValues {
  const { agentId, endpointId, since, window, now } = query
  const count = (row: unknown) => (row as { grants: number }).grants
  return {
    agentGrants: query.agentScope === null ? null : statements.grants.count(query.agentScope, since),
    endpointGrants: query.endpointScope === null ? null : statements.grants.count(query.endpointScope, since),
    ancestorGrants:
      query.ancestorScopes.length === 0
        ? null
        : query.ancestorScopes.map((scope) => statements.grants.count(scope, since)),
    agentSubAgents: query.countAgentSubAgents
      ? count(statements.agentSubAgents.get(agentId, window, now))
      : null,
    endpointSubAgents: query.countEndpointSubAgents
      ? count(statements.endpointSubAgents.get(agentId, window, now, endpointId))
      : null,
    ...readPending(statements, query),
    cumulativeSpend: query.spend === null ? null : readSpend(statements, query.spend),
    standing: query.standing === null ? null : readStanding(statements, query.standing),
  }
}

function readPending(statements: RecorderStatements, { agentId, pendingAt, now }: CounterQuery) {
  if (pendingAt === null) return { pendingApprovals: null, pendingApprovalsHere: null }
  const row = statements.pendingApprovals.get(pendingAt, agentId, now) as { total: number; here: number }
  return { pendingApprovals: row.total, pendingApprovalsHere: row.here }
}

function readSpend(statements: RecorderStatements, { endpointId, agentId, period }: SpendKey): string {
  const row = statements.spend.get(endpointId, agentId, period) as { total: string } | undefined
  return row?.total ?? '0'
}

function readStanding(statements: RecorderStatements, key: StandingKey): StandingState | null {
  return (statements.standing.get(key) as StandingState | undefined) ?? null
}

/** Reads the newest approval of an attempt; null if there is none. */
export function readApproval(statements: RecorderStatements, key: ApprovalKey): ApprovalState | null {
  const row = statements.approval.get(key.agentId, key.attemptId, placeOfAttempt(key)) as
    | (Omit<ApprovalState, 'dimensions' | 'hasFreshAssertion' | 'identityProof'> & {
        request: string
        dimensions: string
        hasFreshAssertion: 0 | 1
      })
    | undefined
  if (row === undefined) return null
  const { request, dimensions, hasFreshAssertion, ...state } = row
  return {
    ...state,
    dimensions: JSON.parse(dimensions),
    hasFreshAssertion: hasFreshAssertion === 1,
    identityProof: heldProofOf(request),
  }
}

/** Reads which of these proofs were used, or belong to a revoked key. */
export function readEarlierUses(
  statements: RecorderStatements,
  proofs: readonly string[],
): ReadonlyMap<string, EarlierUse> {
  return new Map(
    proofs.flatMap((proof) => {
      const use = statements.proofs.find(proof)
      return use === undefined ? [] : [[proof, use] as const]
    }),
  )
}
