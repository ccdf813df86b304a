import type { Client } from 'pg'
import type { CounterQuery, StandingState } from './recorder.ts'
import { type StandingKey, standingKeyOf } from './standingKey.ts'

/**
 * Reads the standing approvals in force, by `standingKeyOf`.
 *
 * The rows are locked until the commit, against owners who remove or replace one.
 */
export async function readStandings(
  client: Client,
  queries: readonly CounterQuery[],
): Promise<Map<string, StandingState>> {
  const keys = queries.flatMap(({ standing }) => standing ?? [])
  if (keys.length === 0) return new Map()
  const { rows } = await client.query<StandingKey & StandingState>({
    name: 'read_standings',
    text: `SELECT agent_id AS "agentId", owner_id AS "ownerId", endpoint_id AS "endpointId",
        counterparty_owner_id AS "counterpartyOwnerId", currency, id, amount, used,
        min_identity_proof AS "minIdentityProof", expires_at AS "expiresAt"
      FROM standing_approvals AS standing
      WHERE (agent_id, endpoint_id, currency) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))
      ORDER BY id FOR UPDATE`,
    values: [
      keys.map((key) => key.agentId),
      keys.map((key) => key.endpointId),
      keys.map((key) => key.currency),
    ],
  })
  return new Map(
    rows.map(({ id, amount, used, minIdentityProof, expiresAt, ...key }) => [
      standingKeyOf(key),
      { id, amount, used, minIdentityProof, expiresAt },
    ]),
  )
}
