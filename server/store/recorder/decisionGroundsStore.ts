import type { Knex } from 'knex'
import type { DecisionGrounds } from './decisionGrounds.ts'
import { type StandingKey, standingKeyOf } from './standingKey.ts'

const COLUMNS = {
  agentId: 'agent_id',
  ownerId: 'owner_id',
  endpointId: 'endpoint_id',
  counterpartyOwnerId: 'counterparty_owner_id',
  currency: 'currency',
}

/** Reads whether the grounds of decisions have been withdrawn, by whichever process. */
export function createDecisionGroundsStore(query: Knex) {
  async function areStanding(keys: readonly StandingKey[], now: number): Promise<boolean> {
    if (keys.length === 0) return true
    const places = keys.map(({ agentId, endpointId, currency }) => [agentId, endpointId, currency])
    const rows: StandingKey[] = await query('standing_approvals')
      .select(COLUMNS)
      .whereIn(['agent_id', 'endpoint_id', 'currency'], places)
      .where('expires_at', '>', now)
    const found = new Set(rows.map(standingKeyOf))
    return keys.every((key) => found.has(standingKeyOf(key)))
  }

  return {
    /**
     * Whether a standing approval is in force at `now` (epoch milliseconds) wherever one was used, no session was ended, and
     * no receipt withdrawn.
     */
    async areInForce(grounds: readonly DecisionGrounds[], now: number): Promise<boolean> {
      const sessions = grounds.flatMap((ground) => ground.sessions)
      const receipts = grounds.flatMap((ground) => ground.receipts)
      const standing = grounds.flatMap(({ standingFor }) => standingFor ?? [])
      if (!(await areStanding(standing, now))) return false
      if (sessions.length > 0) {
        const ended = query('ended_sessions').select('session_id').whereIn('session_id', sessions)
        if ((await ended.limit(1)).length > 0) return false
      }
      if (receipts.length === 0) return true
      const withdrawn = query('receipts').select('record_id').whereIn('record_id', receipts)
      return (await withdrawn.whereNotNull('withdrawn_at').limit(1)).length === 0
    },
  }
}
