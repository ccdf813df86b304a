import type { Knex } from 'knex'
import {
  buildIntentColumns,
  INTENT_COLUMNS,
  type Intent,
  type IntentStatus,
  intentOf,
  type NewIntent,
} from './intentRow.ts'

type OfKinds = { only?: readonly string[]; except?: readonly string[] }
type Mined = { hash: string; block: number; blockHash: string; result: unknown }

/** Once sent, or adopted from the chain, nothing below says that it was never there. */
const NOT_MINED = { mined_hash: null, mined_block: null, mined_block_hash: null, result: null }

export type OutboxStore = ReturnType<typeof createOutboxStore>

/**
 * The relayer's durable outbox: what is to be put on chain, and how far each thing is.
 *
 * Whoever wants something on chain calls `add` in the transaction that makes it true in the database; everything
 * else is the relayer's. A row is open until `settled_at` is set: confirmed and told, or failed.
 * Source: onchain.md "Relayer".
 */
export function createOutboxStore(query: Knex) {
  const change = async (trx: Knex.Transaction, id: number, now: number, values: object): Promise<void> => {
    await trx('relayer_intents')
      .where({ id })
      .update({ ...values, updated_at: now })
  }
  return {
    /** Asks for something to be put on chain; a key that is there already is a no-op. */
    async add(trx: Knex.Transaction, intent: NewIntent): Promise<void> {
      await trx('relayer_intents').insert(buildIntentColumns(intent)).onConflict('idempotency_key').ignore()
    },

    /**
     * Asks for something that may have been asked for before: a row that is confirmed or settled starts over with this
     * payload, one on its way stays as it is. Its handler has to look at the chain before it acts.
     */
    async addAgain(trx: Knex.Transaction, intent: NewIntent): Promise<void> {
      const again = {
        ...buildIntentColumns(intent),
        ...NOT_MINED,
        sender: null,
        nonce: null,
        settled_at: null,
      }
      const { attempts: _, created_at: __, ...changed } = again
      await trx('relayer_intents')
        .insert(again)
        .onConflict('idempotency_key')
        .merge({ ...changed, last_error: null })
        .whereRaw(`(relayer_intents.settled_at IS NOT NULL OR relayer_intents.status = 'confirmed')`)
    },

    /** One intent by its key. */
    async byKey(idempotencyKey: string, reader: Knex = query): Promise<Intent | null> {
      const row = await reader('relayer_intents')
        .select(INTENT_COLUMNS)
        .where({ idempotency_key: idempotencyKey })
        .first()
      return row ? intentOf(row) : null
    },

    /** Intents that are not settled, oldest first; of some kinds alone, or of all but some. */
    async open(statuses: readonly IntentStatus[], limit: number, kinds: OfKinds = {}): Promise<Intent[]> {
      // One status, and one kind, at a time: an index has them in their order, and no backlog is sorted. All in one
      // statement, or an intent that moves on meanwhile would be seen twice, or not at all.
      const parts = statuses.flatMap((status) =>
        (kinds.only ?? [null]).map((kind) => {
          const part = query('relayer_intents')
            .select(INTENT_COLUMNS)
            .whereNull('settled_at')
            .where({ status, ...(kind === null ? {} : { kind }) })
            .whereNotIn('kind', [...(kinds.except ?? [])])
            .orderBy('id')
            .limit(limit)
          return query.select(INTENT_COLUMNS).from(part.as('part'))
        }),
      )
      const [first, ...others] = parts
      if (first === undefined) return []
      const rows = await first.unionAll(others).orderBy('id').limit(limit)
      return rows.map(intentOf)
    },

    /** Intents that count as done, those of the newest block first. */
    async newestSettled(limit: number): Promise<Intent[]> {
      const rows = await query('relayer_intents')
        .select(INTENT_COLUMNS)
        .where({ status: 'confirmed' })
        .whereNotNull('settled_at')
        .whereNotNull('mined_block')
        .orderBy('mined_block', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
      return rows.map(intentOf)
    },

    /** Every intent of a kind, settled or not, oldest first. */
    async ofKind(trx: Knex.Transaction, kind: string): Promise<Intent[]> {
      const rows = await trx('relayer_intents').select(INTENT_COLUMNS).where({ kind }).orderBy('id')
      return rows.map(intentOf)
    },

    /** Why the oldest unsettled intent that has a problem does not move; null when none has. */
    async oldestError(): Promise<string | null> {
      const row = await query('relayer_intents')
        .select('last_error')
        .whereNull('settled_at')
        .whereNotNull('last_error')
        .orderBy('id')
        .first()
      return row?.last_error ?? null
    },

    /** How many intents are not settled. */
    async backlog(): Promise<number> {
      const row = await query('relayer_intents').whereNull('settled_at').count({ count: '*' }).first()
      return Number(row?.count ?? 0)
    },

    /** queued → signed: reserves a nonce; the transaction signed with it is stored beside it. */
    async reserve(
      trx: Knex.Transaction,
      id: number,
      reserved: { sender: string; nonce: number },
      now: number,
    ): Promise<void> {
      await change(trx, id, now, {
        status: 'signed',
        sender: reserved.sender,
        nonce: reserved.nonce,
        attempts: trx.raw('attempts + 1'),
        last_error: null,
        ...NOT_MINED,
      })
    },

    /** Counts everything queued as tried once, so that the chain is looked at before it is sent for the first time. */
    async distrustQueued(trx: Knex.Transaction, now: number): Promise<void> {
      await trx('relayer_intents')
        .whereNull('settled_at')
        .where({ status: 'queued', attempts: 0 })
        .update({ attempts: 1, updated_at: now })
    },

    /** sent → signed: a dearer transaction for the same nonce is to be sent. */
    async markReplaced(trx: Knex.Transaction, id: number, now: number): Promise<void> {
      await change(trx, id, now, { status: 'signed' })
    },

    /** signed → sent. */
    async markSent(trx: Knex.Transaction, id: number, now: number): Promise<void> {
      await change(trx, id, now, { status: 'sent', last_error: null })
    },

    /** The chain holds it, at this block. */
    async markMined(trx: Knex.Transaction, id: number, mined: Mined, now: number): Promise<void> {
      await change(trx, id, now, {
        status: 'mined',
        mined_hash: mined.hash,
        mined_block: mined.block,
        mined_block_hash: mined.blockHash,
        result: mined.result === null ? null : JSON.stringify(mined.result),
        last_error: null,
      })
    },

    /** The block is gone: back to sent, or to queued when the transaction was not ours. */
    async markUnmined(trx: Knex.Transaction, intent: Intent, now: number): Promise<void> {
      const status: IntentStatus = intent.nonce === null ? 'queued' : 'sent'
      await change(trx, intent.id, now, { status, ...NOT_MINED })
    },

    /** What was done is undone: open again, as `markUnmined` leaves it. */
    async reopen(trx: Knex.Transaction, intent: Intent, now: number): Promise<void> {
      await change(trx, intent.id, now, { settled_at: null, next_attempt_at: now })
      await this.markUnmined(trx, intent, now)
    },

    /** The nonce went to something else or the call was reverted: to be prepared anew. */
    async requeue(
      trx: Knex.Transaction,
      id: number,
      why: { lastError: string; nextAttemptAt: number },
      now: number,
    ): Promise<void> {
      await change(trx, id, now, {
        status: 'queued',
        sender: null,
        nonce: null,
        last_error: why.lastError,
        next_attempt_at: why.nextAttemptAt,
        ...NOT_MINED,
      })
    },

    /** Notes why it does not move, and when to look again. */
    async defer(
      trx: Knex.Transaction,
      id: number,
      why: { lastError: string; nextAttemptAt: number },
      now: number,
    ): Promise<void> {
      await change(trx, id, now, { last_error: why.lastError, next_attempt_at: why.nextAttemptAt })
    },

    /** mined → confirmed; open until whoever waits for it was told. */
    async markConfirmed(trx: Knex.Transaction, id: number, now: number): Promise<void> {
      await change(trx, id, now, { status: 'confirmed', next_attempt_at: now })
    },

    /** Nothing more to do, unless it was asked for again meanwhile. */
    async settle(trx: Knex.Transaction, id: number, now: number): Promise<void> {
      await trx('relayer_intents')
        .where({ id, status: 'confirmed' })
        .update({ settled_at: now, updated_at: now })
    },

    /** Given up for good. */
    async markFailed(trx: Knex.Transaction, id: number, lastError: string, now: number): Promise<void> {
      await change(trx, id, now, {
        status: 'failed',
        nonce: null,
        last_error: lastError,
        settled_at: now,
      })
    },

    /** Takes back what was asked for, on its way or done, if it was; `addAgain` starts it over. */
    async withdraw(trx: Knex.Transaction, idempotencyKey: string, now: number): Promise<void> {
      const withdrawn = { status: 'failed', nonce: null, last_error: 'withdrawn', ...NOT_MINED }
      await trx('relayer_intents')
        .where({ idempotency_key: idempotencyKey })
        .update({ ...withdrawn, settled_at: now, updated_at: now })
    },

    /** Forgets every intent: the chain they were for is gone. Their transactions go first. */
    async clear(trx: Knex.Transaction): Promise<void> {
      await trx('relayer_intents').delete()
    },
  }
}
