import type { Knex } from 'knex'
import type { DecisionGrounds } from './decisionGrounds.ts'

/** Reads whether the grounds of decisions have been withdrawn, by whichever process. */
export function createDecisionGroundsStore(query: Knex) {
  return {
    /**
     * Whether each standing approval is still stored and has not expired by `now` (epoch milliseconds), no session was
     * ended, and no receipt withdrawn.
     */
    async areInForce(grounds: readonly DecisionGrounds[], now: number): Promise<boolean> {
      const standing = [...new Set(grounds.flatMap(({ standing: id }) => id ?? []))]
      const sessions = grounds.flatMap((ground) => ground.sessions)
      const receipts = grounds.flatMap((ground) => ground.receipts)
      if (standing.length > 0) {
        const found = query('standing_approvals').select('id').whereIn('id', standing)
        if ((await found.where('expires_at', '>', now)).length < standing.length) return false
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
