import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

/** How a request with an amount ended; the time is epoch milliseconds. */
export type LimitAnswer = {
  agentId: string
  /** Who answers for the endpoint. */
  accountId: string
  amount: number
  /** Whether it was denied, or held, for its amount. */
  isOver: boolean
  at: number
}

/** More than a search needs; beyond it, the oldest are not read. */
const ANSWERS_MAX = 128

export type LimitAnswerStore = ReturnType<typeof createLimitAnswerStore>

/** The Hard Limit of an agent, or the amount from which its owner is asked. */
type LimitThreshold = 'hard_limit' | 'approval'

/** Stores the answers by which a search for one threshold of an agent is noticed, for all processes. */
export function createLimitAnswerStore(query: Knex, threshold: LimitThreshold) {
  return {
    /** Reads the answers about an agent since then, oldest first. */
    async ofAgent(trx: Knex.Transaction, agentId: string, since: number): Promise<LimitAnswer[]> {
      const rows = await trx('limit_answers')
        .select({
          agentId: 'agent_id',
          accountId: 'account_id',
          amount: 'amount',
          isOver: 'is_over',
          at: 'answered_at',
        })
        .where({ agent_id: agentId, threshold })
        .where('answered_at', '>', since)
        .orderBy('id', 'desc')
        .limit(ANSWERS_MAX)
      return rows.reverse().map((row) => ({ ...row, isOver: Boolean(row.isOver), at: Number(row.at) }))
    },

    /** Stores an answer, and deletes those from before `since`. */
    async insert(trx: Knex.Transaction, answer: LimitAnswer, since: number): Promise<void> {
      await deleteExpired(trx, 'limit_answers', since)
      await trx('limit_answers').insert({
        threshold,
        agent_id: answer.agentId,
        account_id: answer.accountId,
        amount: answer.amount,
        is_over: answer.isOver,
        answered_at: answer.at,
      })
    },

    /** Reads which agents were denied something for its amount since then, and when last; at most `limit`. */
    async deniedSince(since: number, limit: number): Promise<{ agentId: string; at: number }[]> {
      const rows = await query('limit_answers')
        .select({ agentId: 'agent_id', at: query.raw('max(answered_at)') })
        .where('answered_at', '>', since)
        .where({ is_over: true, threshold })
        .groupBy('agent_id')
        .limit(limit)
      return rows.map((row) => ({ agentId: row.agentId, at: Number(row.at) }))
    },
  }
}
