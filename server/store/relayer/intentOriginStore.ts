import type { Knex } from 'knex'
import { traceParentOf } from '../database/traceTransactions.ts'
import type { NewIntent } from './intentRow.ts'

/** Maximum number of intents per call, which bounds how long a round of the relayer takes. */
const TAKEN_MAX = 100

/** The spans in which intents were ordered, so that the relayer continues the trace in whichever process it runs. */
export function createIntentOriginStore(query: Knex) {
  return {
    /** Removes the origins of settled intents, and returns these as `Tracing` exports them. */
    async takeSettled() {
      const rows = await query('intent_origins as o')
        .join('relayer_intents as i', 'i.id', 'o.intent_id')
        .select('i.id', 'i.kind', 'i.status', 'i.attempts', 'i.settled_at', 'o.trace_parent', 'o.ordered_at')
        .whereNotNull('i.settled_at')
        .limit(TAKEN_MAX)
      if (rows.length === 0) return []
      const ids = rows.map(({ id }) => id)
      await query('intent_origins').whereIn('intent_id', ids).delete()
      return rows.map((row) => ({
        kind: String(row.kind),
        traceParent: String(row.trace_parent),
        orderedAt: Number(row.ordered_at),
        settledAt: Number(row.settled_at),
        hasFailed: row.status === 'failed',
        attempts: Number(row.attempts),
      }))
    },
  }
}

/** Runs the statement that adds an intent; if it did so as part of a trace, stores that. */
export async function addTraced(
  trx: Knex.Transaction,
  insert: Knex.QueryBuilder,
  intent: NewIntent,
): Promise<void> {
  const traceParent = await findTraceParent(trx, intent)
  if (traceParent === null) {
    await insert
    return
  }
  const [added] = await insert.returning('id')
  if (added === undefined) return
  await trx('intent_origins')
    .insert({ intent_id: added.id, trace_parent: traceParent, ordered_at: intent.now })
    .onConflict('intent_id')
    .merge()
}

/** An intent that follows another one is ordered in a round of the relayer, but continues the trace of that one. */
async function findTraceParent(trx: Knex.Transaction, { follows }: NewIntent): Promise<string | null> {
  const ofTransaction = traceParentOf(trx)
  if (follows === undefined || ofTransaction === undefined) return ofTransaction ?? null
  const row = await trx('intent_origins').select('trace_parent').where({ intent_id: follows }).first()
  return row?.trace_parent ?? null
}
