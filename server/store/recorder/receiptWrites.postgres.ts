import type { QueryConfig } from 'pg'
import type { Commitment } from './recorder.ts'

/**
 * Builds the statements that store the receipts of a group, to be sent before its other writes: they wait for use cases that
 * change an agent.
 *
 * The rows of the agents are locked first, so that a use case that withdraws receipts either has committed, and the insert
 * sees its effect, or finds these receipts.
 */
export function buildReceiptStatements(commitments: readonly Commitment<unknown>[]): QueryConfig[] {
  const rows = commitments.flatMap(({ records }) =>
    records.flatMap(({ recordId, recordedAt, receipt }) =>
      receipt === undefined ? [] : [{ recordId, recordedAt, ...receipt, ...(receipt.account ?? NO_ACCOUNT) }],
    ),
  )
  if (rows.length === 0) return []
  const agents = [...new Set(rows.map(({ agentId }) => agentId))]
  const values = COLUMNS.map((column) => rows.map((row) => row[column]))
  return [
    { name: 'lock_agents', text: LOCK_AGENTS, values: [agents] },
    { name: 'insert_receipts', text: INSERT_RECEIPTS, values },
  ]
}

const NO_ACCOUNT = { address: null, revocation: null }

const COLUMNS = [
  ...(['recordId', 'agentId', 'statusIndex', 'keyThumbprint', 'address', 'revocation'] as const),
  ...(['receipt', 'expiresAt', 'recordedAt'] as const),
]

const LOCK_AGENTS = 'SELECT 1 FROM agents WHERE svc_id = ANY($1::text[]) ORDER BY svc_id FOR SHARE'

/**
 * A receipt is withdrawn from the start if its agent, or the key or account that signed, became inactive during the
 * decision, or if the owner was suspended.
 */
const INSERT_RECEIPTS = `INSERT INTO receipts (record_id, agent_id, status_index, key_thumbprint, account, receipt,
    expires_at, withdrawn_at)
  SELECT record_id, fresh.agent_id, status_index, key_thumbprint, account, receipt, fresh.expires_at,
    CASE WHEN a.status = 'active' AND NOT a.is_held AND (key_thumbprint IS NULL OR k.kid IS NOT NULL)
        AND i.subject_id IS NULL AND r.proof IS NULL
      THEN NULL ELSE recorded_at END
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
        $9::bigint[])
      AS fresh (record_id, agent_id, status_index, key_thumbprint, account, revocation, receipt, expires_at, recorded_at)
    LEFT JOIN agents AS a ON a.svc_id = fresh.agent_id
    LEFT JOIN interventions AS i ON i.subject_id = a.owner_id
    LEFT JOIN agent_keys AS k ON k.agent_id = fresh.agent_id AND k.kid = key_thumbprint AND k.revoked_at IS NULL
    LEFT JOIN used_proofs AS r ON r.proof = revocation`
