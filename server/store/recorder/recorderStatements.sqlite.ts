import type Sqlite from 'better-sqlite3'
import { createGrantCounter } from './grantCounter.sqlite.ts'
import { createRecentProofs } from './recentProofs.sqlite.ts'

export type RecorderStatements = ReturnType<typeof prepareRecorderStatements>

/** The recorder's statements, prepared once for the life of its connection. */
export function prepareRecorderStatements(database: Sqlite.Database) {
  return {
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    rollback: database.prepare('ROLLBACK'),
    /** Writes the first page, with the value that it has: nothing uses this number. */
    touch: database.prepare('PRAGMA user_version = 0'),
    lastSeq: database.prepare('SELECT seq FROM audit_records ORDER BY seq DESC LIMIT 1'),
    insertRecord: database.prepare(
      `INSERT INTO audit_records (seq, record_id, recorded_at, event_type, owner_id, counterparty_owner_id,
        agent_id, endpoint_id, session_id, event_data, inputs, inputs_salt, entry)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    /**
     * A receipt is withdrawn from the start if its agent, or the key or account that signed, became inactive during the
     * decision, or if the owner was suspended.
     */
    insertReceipt: database.prepare(
      `INSERT INTO receipts (record_id, agent_id, status_index, key_thumbprint, account, receipt, expires_at,
        withdrawn_at)
       VALUES (@recordId, @agentId, @statusIndex, @keyThumbprint, @address, @receipt, @expiresAt,
        CASE WHEN EXISTS (SELECT 1 FROM agents WHERE svc_id = @agentId AND status = 'active' AND is_held = 0
            AND owner_id NOT IN (SELECT subject_id FROM interventions))
          AND (@keyThumbprint IS NULL OR EXISTS (SELECT 1 FROM agent_keys
            WHERE agent_id = @agentId AND kid = @keyThumbprint AND revoked_at IS NULL))
          AND (@revocation IS NULL OR @revocation NOT IN (SELECT proof FROM used_proofs))
        THEN NULL ELSE @recordedAt END)`,
    ),
    insertOrigin: database.prepare(
      `INSERT INTO record_origins (record_id, trace_parent, recorded_at)
       VALUES (@recordId, @traceParent, @recordedAt) ON CONFLICT DO NOTHING`,
    ),
    markClaim: database.prepare(
      `UPDATE idempotency_keys SET state = 'applied', kept = coalesce(?, kept)
       WHERE claim_id = ? AND state IN ('running', 'applied')`,
    ),
    grants: createGrantCounter(database),
    agentSubAgents: database.prepare(
      'SELECT count(*) AS grants FROM sub_agent_grants WHERE agent_id = ? AND account IS ? AND expires_at > ?',
    ),
    endpointSubAgents: database.prepare(
      `SELECT count(*) AS grants FROM sub_agent_grants
       WHERE agent_id = ? AND account IS ? AND expires_at > ? AND endpoint_id = ?`,
    ),
    insertSubAgent: database.prepare(
      `INSERT INTO sub_agent_grants (agent_id, seq, endpoint_id, account, session_id, granted_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    pendingApprovals: database.prepare(
      `SELECT count(*) AS total, count(*) FILTER (WHERE counterparty_account_id = ?) AS here
       FROM step_up_approvals WHERE agent_id = ? AND status = 'pending' AND expires_at > ?`,
    ),
    spend: database.prepare(
      'SELECT total FROM cumulative_spend WHERE endpoint_id = ? AND agent_id = ? AND period = ?',
    ),
    setSpend: database.prepare(
      `INSERT INTO cumulative_spend (endpoint_id, agent_id, period, total) VALUES (?, ?, ?, ?)
       ON CONFLICT (endpoint_id, agent_id, period) DO UPDATE SET total = excluded.total`,
    ),
    standing: database.prepare(
      `SELECT id, amount, used, min_identity_proof AS minIdentityProof, expires_at AS expiresAt
       FROM standing_approvals WHERE agent_id = @agentId AND endpoint_id = @endpointId AND currency = @currency
        AND owner_id = @ownerId AND counterparty_owner_id = @counterpartyOwnerId`,
    ),
    useStanding: database.prepare('UPDATE standing_approvals SET used = ? WHERE id = ?'),
    approval: database.prepare(
      `SELECT id, request_hash AS requestHash, request, dimensions, status,
        has_fresh_assertion AS hasFreshAssertion, created_at AS createdAt, expires_at AS expiresAt
       FROM step_up_approvals
       WHERE agent_id = ? AND attempt_id = ? AND coalesce(endpoint_id, counterparty_owner_id) = ?
       ORDER BY position DESC LIMIT 1`,
    ),
    proofs: createRecentProofs(database),
    supersedeApproval: database.prepare(
      `UPDATE step_up_approvals SET status = 'expired', decided_at = ?
       WHERE agent_id = ? AND attempt_id = ? AND coalesce(endpoint_id, counterparty_owner_id) = ?
        AND status = 'pending'`,
    ),
    insertApproval: database.prepare(
      `INSERT INTO step_up_approvals (id, agent_id, owner_id, counterparty_owner_id, counterparty_account_id,
        endpoint_id, api_key_id, attempt_id, request_hash, request, dimensions, needs_fresh_assertion,
        challenge_salt, status, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)`,
    ),
    consumeApproval: database.prepare(
      `UPDATE step_up_approvals SET status = 'consumed', consumed_at = ? WHERE id = ? AND status = 'approved'`,
    ),
  }
}
