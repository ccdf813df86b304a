import type { Client } from 'pg'
import type { Locks } from '../database/locks/locks.ts'
import { type GrantTally, listScopes, readGrantTally } from './grantTally.postgres.ts'
import { heldProofOf } from './heldProofOf.ts'
import {
  type ApprovalKey,
  type ApprovalState,
  type Commitment,
  type CounterQuery,
  type CounterValues,
  type EarlierUse,
  type NewApproval,
  placeOfAttempt,
  type RecordIntent,
  type SpendKey,
} from './recorder.ts'
import { standingKeyOf } from './standingKey.ts'
import { readStandings } from './standings.postgres.ts'

type SubAgentKey = Pick<CounterQuery, 'agentId' | 'endpointId' | 'window'>
type PendingKey = Pick<CounterQuery, 'agentId' | 'pendingAt'>

/** The inputs of a group’s decisions; each decision sees the effects of those before it. */
export type GroupFacts = {
  /** Whether the request still holds its Idempotency-Key. */
  holdsClaim(claimId: string): boolean
  readCounters(query: CounterQuery): CounterValues
  readApproval(key: ApprovalKey): ApprovalState | null
  earlierUses: ReadonlyMap<string, EarlierUse>
  /** Makes the effects of a decision visible to those after it. */
  apply(commitment: Commitment<unknown>): void
  grants: GrantTally
}

const SEPARATOR = '\n'

/**
 * Reads everything that a group of decisions needs, and locks it until the commit.
 *
 * The locks are by name, because a counter may have no row yet; each group takes all of them in one order.
 * All statements are sent at once, locks first, and each statement sees what was committed before it began.
 */
export async function readGroupFacts(
  client: Client,
  intents: readonly RecordIntent<unknown>[],
  locks: Locks,
): Promise<GroupFacts> {
  const queries = intents.flatMap(({ counters }) => counters ?? [])
  const approvalKeys = intents.flatMap(({ approval }) => approval ?? [])
  const proofs = intents.flatMap((intent) => intent.proofs ?? [])
  const [, claims, grants, spends, subAgents, pending, approvals, standings, earlierUses] = await Promise.all(
    [
      lock(client, listNames(queries, approvalKeys, proofs), locks),
      lockClaims(client, intents),
      readGrantTally(client, queries),
      readSpends(client, queries),
      readSubAgents(client, queries),
      readPending(client, queries),
      readApprovals(client, approvalKeys),
      readStandings(client, queries),
      readEarlierUses(client, proofs),
    ],
  )
  return {
    holdsClaim: (claimId) => claims.has(claimId),
    readCounters: (query) => {
      const { since, spend } = query
      const sub = subAgents.get(subAgentKeyOf(query))
      const waiting = pending.get(pendingKeyOf(query))
      return {
        agentGrants: query.agentScope === null ? null : grants.count(query.agentScope, since),
        endpointGrants: query.endpointScope === null ? null : grants.count(query.endpointScope, since),
        ancestorGrants:
          query.ancestorScopes.length === 0
            ? null
            : query.ancestorScopes.map((scope) => grants.count(scope, since)),
        agentSubAgents: query.countAgentSubAgents ? (sub?.ofAgent ?? 0) : null,
        endpointSubAgents: query.countEndpointSubAgents ? (sub?.here ?? 0) : null,
        pendingApprovals: waiting?.ofAgent ?? null,
        pendingApprovalsHere: waiting?.here ?? null,
        cumulativeSpend: spend === null ? null : (spends.get(spendKey(spend)) ?? '0'),
        standing: query.standing && (standings.get(standingKeyOf(query.standing)) ?? null),
      }
    },
    readApproval: (key) => approvals.get(approvalKeyOf(key)) ?? null,
    earlierUses,
    apply(commitment) {
      for (const grant of commitment.grants) grants.add(grant)
      const { spend, subAgent, newApproval, consumedApprovalId, standing, usedProofs = [] } = commitment
      for (const { proof, reusableFor, expiresAt } of usedProofs)
        earlierUses.set(proof, { reusableFor, expiresAt })
      if (spend) spends.set(spendKey(spend), spend.total)
      if (subAgent) countSubAgent(subAgents, subAgent)
      for (const [key, state] of standing ? standings : []) {
        if (state.id === standing?.id) standings.set(key, { ...state, used: standing.used })
      }
      if (newApproval) approvals.set(approvalKeyOf(newApproval), pendingStateOf(newApproval))
      if (newApproval) countPending(pending, newApproval)
      for (const [key, approval] of consumedApprovalId === null ? [] : approvals) {
        if (approval.id === consumedApprovalId) approvals.set(key, { ...approval, status: 'consumed' })
      }
    },
    grants,
  }
}

async function lock(client: Client, names: ReadonlySet<string>, locks: Locks): Promise<void> {
  if (names.size > 0) await client.query(locks.named(names))
}

function listNames(
  queries: readonly CounterQuery[],
  approvalKeys: readonly ApprovalKey[],
  proofs: readonly string[],
): ReadonlySet<string> {
  const names = new Set<string>()
  for (const proof of proofs) names.add(`proof ${proof}`)
  for (const { agentId, ...query } of queries) {
    for (const scope of listScopes(query)) names.add(`grants ${scope}`)
    if (query.countAgentSubAgents || query.countEndpointSubAgents) names.add(`sub-agents ${agentId}`)
    if (query.pendingAt !== null) names.add(`pending ${agentId}`)
    if (query.spend !== null) names.add(`spend ${spendKey(query.spend)}`)
    if (query.standing !== null) names.add(`standing ${standingKeyOf(query.standing)}`)
  }
  for (const key of approvalKeys) names.add(`approval ${approvalKeyOf(key)}`)
  return names
}

/** Reads the claims that are still valid, and prevents their release until the commit. */
async function lockClaims(client: Client, intents: readonly RecordIntent<unknown>[]): Promise<Set<string>> {
  const ids = intents.flatMap(({ claimId }) => claimId ?? [])
  if (ids.length === 0) return new Set()
  const { rows } = await client.query<{ claim_id: string }>({
    name: 'lock_claims',
    text: `SELECT claim_id FROM idempotency_keys
      WHERE claim_id = ANY ($1::text[]) AND state IN ('running', 'applied') FOR UPDATE`,
    values: [ids],
  })
  return new Set(rows.map(({ claim_id }) => claim_id))
}

async function readSpends(client: Client, queries: readonly CounterQuery[]): Promise<Map<string, string>> {
  const keys = queries.flatMap(({ spend }) => spend ?? [])
  if (keys.length === 0) return new Map()
  const { rows } = await client.query<SpendKey & { total: string }>({
    name: 'read_spends',
    text: `SELECT endpoint_id AS "endpointId", agent_id AS "agentId", period, total FROM cumulative_spend
      WHERE (endpoint_id, agent_id, period) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))`,
    values: [
      keys.map((key) => key.endpointId),
      keys.map((key) => key.agentId),
      keys.map((key) => key.period),
    ],
  })
  return new Map(rows.map((row) => [spendKey(row), row.total]))
}

type Counted = Map<string, { ofAgent: number; here: number }>

async function readSubAgents(client: Client, queries: readonly CounterQuery[]): Promise<Counted> {
  const keys = queries.filter((query) => query.countAgentSubAgents || query.countEndpointSubAgents)
  if (keys.length === 0) return new Map()
  const { rows } = await client.query<SubAgentKey & { ofAgent: number; here: number }>({
    name: 'read_sub_agents',
    text: `SELECT key.agent_id AS "agentId", key.endpoint_id AS "endpointId", key.account AS "window",
        count(made.seq) AS "ofAgent", count(made.seq) FILTER (WHERE made.endpoint_id = key.endpoint_id) AS here
      FROM (SELECT agent_id, endpoint_id, account, min(now) AS now
        FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS given (agent_id, endpoint_id, account, now)
        GROUP BY agent_id, endpoint_id, account) AS key
      LEFT JOIN sub_agent_grants AS made ON made.agent_id = key.agent_id
        AND made.account IS NOT DISTINCT FROM key.account AND made.expires_at > key.now
      GROUP BY key.agent_id, key.endpoint_id, key.account`,
    values: [
      keys.map((key) => key.agentId),
      keys.map((key) => key.endpointId),
      keys.map((key) => key.window),
      keys.map((key) => key.now),
    ],
  })
  return new Map(rows.map((row) => [subAgentKeyOf(row), row]))
}

function countSubAgent(counts: Counted, made: SubAgentKey): void {
  for (const [key, count] of counts) {
    if (!key.startsWith(made.agentId + SEPARATOR + (made.window ?? '') + SEPARATOR)) continue
    count.ofAgent += 1
    if (key === subAgentKeyOf(made)) count.here += 1
  }
}

/** Counts the pending approvals of agents, at any endpoint and at those that one person answers for. */
async function readPending(client: Client, queries: readonly CounterQuery[]): Promise<Counted> {
  const keys = queries.filter((query) => query.pendingAt !== null)
  if (keys.length === 0) return new Map()
  const { rows } = await client.query<PendingKey & { ofAgent: number; here: number }>({
    name: 'read_pending',
    text: `SELECT key.agent_id AS "agentId", key.account_id AS "pendingAt", count(waiting.id) AS "ofAgent",
        count(waiting.id) FILTER (WHERE waiting.counterparty_account_id = key.account_id) AS here
      FROM (SELECT agent_id, account_id, min(now) AS now
        FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given (agent_id, account_id, now)
        GROUP BY agent_id, account_id) AS key
      LEFT JOIN step_up_approvals AS waiting ON waiting.agent_id = key.agent_id
        AND waiting.status = 'pending' AND waiting.expires_at > key.now
      GROUP BY key.agent_id, key.account_id`,
    values: [keys.map((key) => key.agentId), keys.map((key) => key.pendingAt), keys.map((key) => key.now)],
  })
  return new Map(rows.map((row) => [pendingKeyOf(row), row]))
}

function countPending(counts: Counted, made: { agentId: string; counterpartyAccountId: string }): void {
  for (const [key, count] of counts) {
    if (!key.startsWith(made.agentId + SEPARATOR)) continue
    count.ofAgent += 1
    if (key === made.agentId + SEPARATOR + made.counterpartyAccountId) count.here += 1
  }
}

async function readApprovals(
  client: Client,
  keys: readonly ApprovalKey[],
): Promise<Map<string, ApprovalState>> {
  if (keys.length === 0) return new Map()
  // The rows are locked as well, against owners who approve and deny. The newest approval of a key comes last and therefore
  // stays in the map.
  const { rows } = await client.query<
    Omit<ApprovalState, 'dimensions' | 'identityProof'> &
      ApprovalKey & { request: string; dimensions: string }
  >({
    name: 'read_approvals',
    text: `SELECT agent_id AS "agentId", endpoint_id AS "endpointId", counterparty_owner_id AS "counterpartyOwnerId",
        attempt_id AS "attemptId", id, request_hash AS "requestHash", request, dimensions, status,
        has_fresh_assertion AS "hasFreshAssertion", created_at AS "createdAt", expires_at AS "expiresAt"
      FROM step_up_approvals AS approval
      WHERE EXISTS (SELECT FROM unnest($1::text[], $2::text[], $3::text[]) AS key (agent_id, place, attempt_id)
        WHERE approval.agent_id = key.agent_id AND approval.attempt_id = key.attempt_id
          AND coalesce(approval.endpoint_id, approval.counterparty_owner_id) = key.place)
      ORDER BY position FOR UPDATE`,
    values: [keys.map((key) => key.agentId), keys.map(placeOfAttempt), keys.map((key) => key.attemptId)],
  })
  return new Map(
    rows.map(({ agentId, endpointId, counterpartyOwnerId, attemptId, request, dimensions, ...row }) => [
      approvalKeyOf({ agentId, endpointId, counterpartyOwnerId, attemptId }),
      { ...row, dimensions: JSON.parse(dimensions), identityProof: heldProofOf(request) },
    ]),
  )
}

function pendingStateOf({ id, requestHash, request, dimensions, createdAt, expiresAt }: NewApproval) {
  const identityProof = heldProofOf(request)
  return {
    ...{ id, requestHash, dimensions, status: 'pending', hasFreshAssertion: false },
    ...{ identityProof, createdAt, expiresAt },
  }
}

async function readEarlierUses(client: Client, proofs: readonly string[]): Promise<Map<string, EarlierUse>> {
  if (proofs.length === 0) return new Map()
  const { rows } = await client.query<EarlierUse & { proof: string }>({
    name: 'read_proof_uses',
    text: `SELECT proof, attempt_id AS "reusableFor", expires_at AS "expiresAt"
      FROM used_proofs WHERE proof = ANY ($1::text[])`,
    values: [proofs],
  })
  return new Map(rows.map(({ proof, ...use }) => [proof, use]))
}

function approvalKeyOf({ agentId, attemptId, ...at }: ApprovalKey): string {
  return agentId + SEPARATOR + placeOfAttempt(at) + SEPARATOR + attemptId
}

function spendKey({ endpointId, agentId, period }: SpendKey): string {
  return endpointId + SEPARATOR + agentId + SEPARATOR + period
}

function subAgentKeyOf({ agentId, endpointId, window }: SubAgentKey): string {
  return agentId + SEPARATOR + (window ?? '') + SEPARATOR + endpointId
}

function pendingKeyOf({ agentId, pendingAt }: PendingKey): string {
  return agentId + SEPARATOR + pendingAt
}
