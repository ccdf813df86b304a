import type { Client } from 'pg'
import type { NewAuditRecord } from './auditRecordStore.ts'
import type { GrantTally } from './grantTally.postgres.ts'
import type { Commitment, NewApproval } from './recorder.ts'

/**
 * Sends all that a group writes, one statement a table, and answers with what is under way.
 *
 * Rows go as one array a column, so that a statement is the same for any number of them and is prepared once.
 *
 * @param firstSeq Place in the log of the group's first record.
 */
export function writeGroup(
  client: Client,
  commitments: readonly Commitment<unknown>[],
  grants: GrantTally | null,
  firstSeq: number,
): Promise<unknown>[] {
  const sent: Promise<unknown>[] = []
  const send = (name: keyof typeof STATEMENTS, rows: readonly (readonly unknown[])[]): void => {
    const [first] = rows
    if (first === undefined) return
    const columns = first.map((_, column) => rows.map((row) => row[column]))
    sent.push(client.query({ name, text: STATEMENTS[name], values: columns }))
  }
  const { records, subAgents } = numbered(commitments, firstSeq)
  const spends = commitments.flatMap(({ spend }) => spend ?? [])
  const approvals = commitments.flatMap(({ newApproval }) => newApproval ?? [])
  send('insert_records', records)
  send('forget_grants', [...(grants?.forgettable() ?? [])])
  send('insert_grants', grants?.added().map((row) => [row.scope, row.grantedAt, row.ordinal]) ?? [])
  send(
    'set_spends',
    lastOfEach(spends, (row) => `${row.endpointId} ${row.agentId} ${row.period}`).map((row) => [
      row.endpointId,
      row.agentId,
      row.period,
      row.total,
    ]),
  )
  send('insert_sub_agents', subAgents)
  send(
    'supersede_approvals',
    lastOfEach(approvals, attemptOf).map((row) => [row.agentId, row.attemptId, row.createdAt]),
  )
  send('insert_approvals', approvalRows(approvals))
  send(
    'consume_approvals',
    commitments.flatMap(({ consumedApprovalId: id, records: [record] }) =>
      id === null ? [] : [[id, record?.recordedAt]],
    ),
  )
  return sent
}

const STATEMENTS = {
  insert_records: `INSERT INTO audit_records (seq, record_id, recorded_at, event_type, owner_id, counterparty_owner_id,
      agent_id, endpoint_id, session_id, event_data, inputs, inputs_salt, entry)
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])`,
  forget_grants: `DELETE FROM transaction_grants AS g USING unnest($1::text[], $2::bigint[]) AS past (scope, since)
    WHERE g.scope = past.scope AND g.granted_at <= past.since`,
  insert_grants: `INSERT INTO transaction_grants (scope, granted_at, ordinal)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])`,
  set_spends: `INSERT INTO cumulative_spend (endpoint_id, agent_id, period, total)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
    ON CONFLICT (endpoint_id, agent_id, period) DO UPDATE SET total = excluded.total`,
  insert_sub_agents: `INSERT INTO sub_agent_grants (agent_id, seq, endpoint_id, granted_at)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[])`,
  supersede_approvals: `UPDATE step_up_approvals AS a SET status = 'expired', decided_at = fresh.created_at
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS fresh (agent_id, attempt_id, created_at)
    WHERE a.agent_id = fresh.agent_id AND a.attempt_id = fresh.attempt_id AND a.status = 'pending'`,
  insert_approvals: `INSERT INTO step_up_approvals (id, agent_id, owner_id, counterparty_owner_id, endpoint_id,
      api_key_id, attempt_id, request_hash, request, dimensions, needs_fresh_assertion, challenge_salt, status,
      created_at, expires_at, decided_at)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::text[], $11::boolean[], $12::text[], $13::text[], $14::bigint[], $15::bigint[],
      $16::bigint[])`,
  consume_approvals: `UPDATE step_up_approvals AS a SET status = 'consumed', consumed_at = used.at
    FROM unnest($1::text[], $2::bigint[]) AS used (id, at) WHERE a.id = used.id AND a.status = 'approved'`,
} as const

function numbered(commitments: readonly Commitment<unknown>[], firstSeq: number) {
  const records: unknown[][] = []
  const subAgents: unknown[][] = []
  for (const { records: list, subAgent } of commitments) {
    const seq = firstSeq + records.length
    if (subAgent) subAgents.push([subAgent.agentId, seq, subAgent.endpointId, subAgent.grantedAt])
    for (const record of list) records.push(recordRow(record, firstSeq + records.length))
  }
  return { records, subAgents }
}

function recordRow(record: NewAuditRecord, seq: number): unknown[] {
  return [
    seq,
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
    record.entryOf(seq),
  ]
}

/** One that another of the group takes the place of is stored as what it is by then. */
function approvalRows(approvals: readonly NewApproval[]): unknown[][] {
  const lasting = new Set(lastOfEach(approvals, attemptOf))
  return approvals.map((row) => [
    row.id,
    row.agentId,
    row.ownerId,
    row.counterpartyOwnerId,
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

function attemptOf({ agentId, attemptId }: NewApproval): string {
  return `${agentId} ${attemptId}`
}

function lastOfEach<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}
