import type { Knex } from 'knex'
import type { DecisionGrounds } from './decisionGrounds.ts'
import type { StandingKey } from './standingKey.ts'

/** Reads whether the grounds of decisions have been withdrawn, by whichever process. */
export function createDecisionGroundsStore(query: Knex) {
  async function isInForce(key: StandingKey, now: number): Promise<boolean> {
    const found = query('standing_approvals').select('id').where('expires_at', '>', now).limit(1)
    return (await found.where(standingColumnsOf(key))).length > 0
  }

  return {
    /**
     * Whether a standing approval is in force at `now` (epoch milliseconds) wherever one was used, no session was ended, and
     * no receipt withdrawn.
     */
    async areInForce(grounds: readonly DecisionGrounds[], now: number): Promise<boolean> {
      const sessions = grounds.flatMap((ground) => ground.sessions)
      const receipts = grounds.flatMap((ground) => ground.receipts)
      for (const { standingFor } of grounds) {
        if (standingFor && !(await isInForce(standingFor, now))) return false
      }
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

function standingColumnsOf({ agentId, ownerId, endpointId, counterpartyOwnerId, currency }: StandingKey) {
  const parties = { owner_id: ownerId, counterparty_owner_id: counterpartyOwnerId }
  return { agent_id: agentId, endpoint_id: endpointId, currency, ...parties }
}
