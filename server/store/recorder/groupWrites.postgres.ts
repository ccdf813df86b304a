import type { QueryConfig } from 'pg'
import type { NewAuditRecord } from '../audit/newAuditRecord.ts'
import type { GrantTally } from './grantTally.postgres.ts'
import { type Commitment, type NewApproval, placeOfAttempt } from './recorder.ts'

/**
 * Builds all writes of a group, one statement per table, to be sent at once.
 *
 * Each names the columns by which its table could be distributed over nodes (docs/scaling.md). Rows are passed as one array
 * per column, so a statement has the same text for any number of rows and is prepared once.
 */
export function buildGroupStatements(
  commitments: readonly Commitment<unknown>[],
  grants: GrantTally | null,
): QueryConfig[] {
  const writes: QueryConfig[] = []
  const add = (name: keyof typeof STATEMENTS, rows: readonly (readonly unknown[])[]): void => {
    const [first] = rows
    if (first === undefined) return
    const values = first.map((_, column) => rows.map((row) => row[column]))
    writes.push({ name, text: STATEMENTS[name], values })
  }
  const spends = commitments.flatMap(({ spend }) => spend ?? [])
  const approvals = commitments.flatMap(({ newApproval }) => newApproval ?? [])
  add(
    'insert_records',
    commitments.flatMap(({ records }) => records.map(recordRow)),
  )
  add('forget_grants', [...(grants?.forgettable() ?? [])])
  add('insert_grants', grants?.added().map((row) => [row.scope, row.grantedAt, row.ordinal]) ?? [])
  add(
    'set_spends',
    lastOfEach(spends, (row) => `${row.endpointId} ${row.agentId} ${row.period}`).map((row) => [
      row.endpointId,
      row.agentId,
      row.period,
      row.total,
    ]),
  )
  add(
    'insert_sub_agents',
    commitments.flatMap(({ subAgent }) => (subAgent ? [subAgentRow(subAgent)] : [])),
  )
  add(
    'supersede_approvals',
    lastOfEach(approvals, attemptOf).map((row) => [
      row.agentId,
      placeOfAttempt(row),
      row.attemptId,
      row.createdAt,
    ]),
  )
  add('insert_approvals', buildApprovalRows(approvals))
  add(
    'consume_approvals',
    commitments.flatMap(({ consumedApprovalId: id, records: [record] }) =>
      id === null ? [] : [[id, record?.recordedAt, record?.agentId]],
    ),
  )
  add(
    'use_standings',
    lastOfEach(
      commitments.flatMap(({ standing, records: [record] }) =>
        standing ? [{ ...standing, agentId: record?.agentId }] : [],
      ),
      ({ id }) => id,
    ).map(({ id, used, agentId }) => [id, used, agentId]),
  )
  add(
    'use_proofs',
    lastOfEach(
      commitments.flatMap(({ usedProofs = [] }) => usedProofs),
      ({ proof }) => proof,
    ).map(({ proof, expiresAt, reusableFor }) => [proof, expiresAt, reusableFor]),
  )
  return writes
}

/** Grants of a scope deleted at once: more than are added from one clean-up to the next. */
const FORGOTTEN_MAX = 512

const STATEMENTS = {
  insert_records: `INSERT INTO pending_records (record_id, recorded_at, event_type, owner_id, counterparty_owner_id,
      agent_id, endpoint_id, session_id, event_data, inputs, inputs_salt, entry)
    SELECT record_id, recorded_at, event_type, owner_id, counterparty_owner_id,
      agent_id, endpoint_id, session_id, event_data, inputs, inputs_salt, entry
    FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::text[]) WITH ORDINALITY AS fresh (record_id, recorded_at, event_type,
      owner_id, counterparty_owner_id, agent_id, endpoint_id, session_id, event_data, inputs, inputs_salt, entry, nth)
    ORDER BY nth`,
  // Deletes by the keys of the oldest rows: the planner expects a third of the table to be old, and would read all of it.
  forget_grants: `DELETE FROM transaction_grants AS g
    USING unnest($1::text[], $2::bigint[]) AS past (scope, since)
      CROSS JOIN LATERAL (SELECT granted_at, ordinal FROM transaction_grants AS oldest
        WHERE oldest.scope = past.scope AND oldest.granted_at <= past.since
        ORDER BY granted_at, ordinal LIMIT ${FORGOTTEN_MAX}) AS old
    WHERE g.scope = past.scope AND g.granted_at = old.granted_at AND g.ordinal = old.ordinal`,
  insert_grants: `INSERT INTO transaction_grants (scope, granted_at, ordinal)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])`,
  set_spends: `INSERT INTO cumulative_spend (endpoint_id, agent_id, period, total)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
    ON CONFLICT (endpoint_id, agent_id, period) DO UPDATE SET total = excluded.total`,
  insert_sub_agents: `INSERT INTO sub_agent_grants (agent_id, endpoint_id, account, session_id, granted_at, expires_at)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])`,
  supersede_approvals: `UPDATE step_up_approvals AS a SET status = 'expired', decided_at = fresh.created_at
    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS fresh (agent_id, place, attempt_id, created_at)
    WHERE a.agent_id = fresh.agent_id AND a.attempt_id = fresh.attempt_id
      AND coalesce(a.endpoint_id, a.counterparty_owner_id) = fresh.place AND a.status = 'pending'`,
  insert_approvals: `INSERT INTO step_up_approvals (id, agent_id, owner_id, counterparty_owner_id,
      counterparty_account_id, endpoint_id, api_key_id, attempt_id, request_hash, request, dimensions,
      needs_fresh_assertion, challenge_salt, status, created_at, expires_at, decided_at)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::text[], $11::text[], $12::boolean[], $13::text[], $14::text[], $15::bigint[],
      $16::bigint[], $17::bigint[])`,
  use_proofs: `INSERT INTO used_proofs (proof, expires_at, attempt_id)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])
    ON CONFLICT (proof) DO UPDATE
    SET attempt_id = excluded.attempt_id, expires_at = greatest(used_proofs.expires_at, excluded.expires_at)
    WHERE used_proofs.attempt_id IS NOT NULL`,
  use_standings: `UPDATE standing_approvals AS a SET used = fresh.used
    FROM unnest($1::text[], $2::text[], $3::text[]) AS fresh (id, used, agent_id)
    WHERE a.id = fresh.id AND a.agent_id = fresh.agent_id`,
  consume_approvals: `UPDATE step_up_approvals AS a SET status = 'consumed', consumed_at = used.at
    FROM unnest($1::text[], $2::bigint[], $3::text[]) AS used (id, at, agent_id)
    WHERE a.id = used.id AND a.agent_id = used.agent_id AND a.status = 'approved'`,
} as const

function subAgentRow(made: NonNullable<Commitment<unknown>['subAgent']>): unknown[] {
  return [made.agentId, made.endpointId, made.window, made.sessionId, made.grantedAt, made.expiresAt]
}

function recordRow(record: NewAuditRecord): unknown[] {
  return [
    record.recordId,
    record.recordedAt,
    record.eventType,
    record.ownerId,
    record.counterpartyOwnerId,
    record.agentId,
    record.endpointId,
    record.sessionId,
    record.eventData,
    record.inputs,
    record.inputsSalt,
    record.entry,
  ]
}

/** An approval that a later one in the group replaces is stored in its final state. */
function buildApprovalRows(approvals: readonly NewApproval[]): unknown[][] {
  const lasting = new Set(lastOfEach(approvals, attemptOf))
  return approvals.map((row) => [
    row.id,
    row.agentId,
    row.ownerId,
    row.counterpartyOwnerId,
    row.counterpartyAccountId,
    row.endpointId,
    row.apiKeyId,
    row.attemptId,
    row.requestHash,
    row.request,
    JSON.stringify(row.dimensions),
    row.needsFreshAssertion,
    row.challengeSalt,
    lasting.has(row) ? 'pending' : 'expired',
    row.createdAt,
    row.expiresAt,
    lasting.has(row) ? null : row.createdAt,
  ])
}

function attemptOf({ agentId, attemptId, ...at }: NewApproval): string {
  return `${agentId} ${placeOfAttempt(at)} ${attemptId}`
}

function lastOfEach<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}
