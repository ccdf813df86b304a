import type { Knex } from 'knex'
import { addTraced } from './intentOriginStore.ts'
import {
  buildIntentColumns,
  INTENT_COLUMNS,
  type Intent,
  type IntentStatus,
  intentOf,
  type NewIntent,
} from './intentRow.ts'
import { createPausedPayers, type PayerColumns } from './pausedPayers.ts'
import { type Selection, selectIntents } from './selectIntents.ts'

type Mined = { hash: string; block: number; blockHash: string; result: unknown }

/** Once an intent was sent or found on the chain, no method below resets it to never sent. */
const NOT_MINED = { mined_hash: null, mined_block: null, mined_block_hash: null, result: null }
const NOT_SENT = { sender: null, nonce: null, ...NOT_MINED }

export type OutboxStore = ReturnType<typeof createOutboxStore>

/**
 * The relayer's durable outbox: orders to put something on chain, and their progress.
 *
 * Code that needs something on chain calls `add` in the transaction that makes it true in the database; the relayer does
 * everything else. A row is open until `settled_at` is set: confirmed and reported, or failed. Source:
 * docs/life-of-an-identity.md.
 */
export function createOutboxStore(query: Knex) {
  const change = async (trx: Knex.Transaction, id: number, now: number, values: object): Promise<void> => {
    await trx('relayer_intents')
      .where({ id })
      .update({ ...values, updated_at: now })
  }
  return {
    /** Adds an order; does nothing if the key exists. */
    async add(trx: Knex.Transaction, intent: NewIntent): Promise<void> {
      const insert = trx('relayer_intents').insert(buildIntentColumns(intent))
      await addTraced(trx, insert.onConflict('idempotency_key').ignore(), intent)
    },

    /**
     * Adds an order that may exist: a confirmed or settled row starts over with this payload, a pending one stays. Its
     * handler must check the chain before acting.
     */
    async addAgain(trx: Knex.Transaction, intent: NewIntent): Promise<void> {
      const again = { ...buildIntentColumns(intent), ...NOT_SENT, settled_at: null }
      const { attempts: _, created_at: __, ...changed } = again
      const insert = trx('relayer_intents')
        .insert(again)
        .onConflict('idempotency_key')
        .merge({ ...changed, last_error: null })
        .whereRaw(`(relayer_intents.settled_at IS NOT NULL OR relayer_intents.status = 'confirmed')`)
      await addTraced(trx, insert, intent)
    },

    /** One intent by its key. */
    async byKey(idempotencyKey: string, reader: Knex = query): Promise<Intent | null> {
      const row = await reader('relayer_intents')
        .select(INTENT_COLUMNS)
        .where({ idempotency_key: idempotencyKey })
        .first()
      return row ? intentOf(row) : null
    },

    /** Unsettled intents, oldest first, optionally only a selection. */
    async open(
      statuses: readonly IntentStatus[],
      limit: number,
      selection: Selection = {},
    ): Promise<Intent[]> {
      // One query per status and kind uses an index in order, so that no backlog is sorted. They form one statement, or an
      // intent that changes meanwhile could be seen twice or not at all.
      const parts = statuses.flatMap((status) =>
        (selection.only ?? [null]).map((kind) => {
          const part = query('relayer_intents')
            .select(INTENT_COLUMNS)
            .whereNull('settled_at')
            .where({ status, ...(kind === null ? {} : { kind }) })
            .modify(selectIntents, selection)
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

    /** Settled intents, newest block first. */
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

    /** The problem of the oldest unsettled intent that has one; null if none has. */
    async oldestError(): Promise<string | null> {
      const row = await query('relayer_intents')
        .select('last_error')
        .whereNull('settled_at')
        .whereNotNull('last_error')
        .orderBy('id')
        .first()
      return row?.last_error ?? null
    },

    /** Whether an unsettled intent waits for this reason; with `at`, only one that is not due yet at that time. */
    async isAnyDeferred(lastError: string, at = 0, payer: Partial<PayerColumns> = {}): Promise<boolean> {
      const row = await query('relayer_intents')
        .select('id')
        .where(payer)
        .whereNull('settled_at')
        .whereNotNull('last_error')
        .where({ last_error: lastError })
        .where('next_attempt_at', '>', at)
        .first()
      return row !== undefined
    },

    pausedPayers: createPausedPayers(query),

    /** Makes the unsettled intents of a user those of somebody known. */
    async releaseStranger(trx: Knex.Transaction, userId: string, now: number): Promise<void> {
      await trx('relayer_intents')
        .whereNull('settled_at')
        .where({ stranger_id: userId })
        .update({ stranger_id: null, last_error: null, next_attempt_at: now, updated_at: now })
    },

    /** Number of unsettled intents. */
    async backlog(): Promise<number> {
      const row = await query('relayer_intents').whereNull('settled_at').count({ count: '*' }).first()
      return Number(row?.count ?? 0)
    },

    /** Number of unsettled intents whose transactions an account sends, or of some kinds. */
    async countOpen(only: { sender: string } | { kinds: readonly string[] }): Promise<number> {
      const row = await query('relayer_intents')
        .whereNull('settled_at')
        .modify((intents) =>
          'sender' in only
            ? intents.where({ sender: only.sender })
            : intents.whereIn('kind', [...only.kinds]),
        )
        .count({ count: '*' })
        .first()
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

    /** Marks all queued intents as tried once, so that the chain is checked before they are first sent. */
    async distrustQueued(trx: Knex.Transaction, now: number): Promise<void> {
      await trx('relayer_intents')
        .whereNull('settled_at')
        .where({ status: 'queued', attempts: 0 })
        .update({ attempts: 1, updated_at: now })
    },

    /** sent → signed: a more expensive transaction for the same nonce will be sent. */
    async markReplaced(trx: Knex.Transaction, id: number, now: number): Promise<void> {
      await change(trx, id, now, { status: 'signed' })
    },

    /** signed → sent. */
    async markSent(trx: Knex.Transaction, id: number, now: number): Promise<void> {
      await change(trx, id, now, { status: 'sent', last_error: null })
    },

    /** Records that it was mined in this block. */
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

    /** Records that its block was removed: back to sent, or to queued if the transaction was not ours. */
    async markUnmined(trx: Knex.Transaction, intent: Intent, now: number): Promise<void> {
      const status: IntentStatus = intent.nonce === null ? 'queued' : 'sent'
      await change(trx, intent.id, now, { status, ...NOT_MINED })
    },

    /** Reopens a settled intent, as `markUnmined` does. */
    async reopen(trx: Knex.Transaction, intent: Intent, now: number): Promise<void> {
      await change(trx, intent.id, now, { settled_at: null, next_attempt_at: now })
      await this.markUnmined(trx, intent, now)
    },

    /** Queues it again, because its nonce was used otherwise or the call reverted. */
    async requeue(
      trx: Knex.Transaction,
      id: number,
      why: { lastError: string; nextAttemptAt: number },
      now: number,
    ): Promise<void> {
      await change(trx, id, now, {
        status: 'queued',
        last_error: why.lastError,
        next_attempt_at: why.nextAttemptAt,
        ...NOT_SENT,
      })
    },

    /** Stores why it is stuck, and when to retry. */
    async defer(
      trx: Knex.Transaction,
      id: number,
      why: { lastError: string; nextAttemptAt: number },
      now: number,
    ): Promise<void> {
      await change(trx, id, now, { last_error: why.lastError, next_attempt_at: why.nextAttemptAt })
    },

    /** mined → confirmed; open until whoever waits for it has been notified. */
    async markConfirmed(trx: Knex.Transaction, id: number, now: number): Promise<void> {
      await change(trx, id, now, { status: 'confirmed', next_attempt_at: now })
    },

    /** Settles it, unless it was requested again meanwhile. */
    async settle(trx: Knex.Transaction, id: number, now: number): Promise<void> {
      await trx('relayer_intents')
        .where({ id, status: 'confirmed' })
        .update({ settled_at: now, updated_at: now })
    },

    /** Marks it as failed permanently. */
    async markFailed(trx: Knex.Transaction, id: number, lastError: string, now: number): Promise<void> {
      await change(trx, id, now, {
        status: 'failed',
        nonce: null,
        last_error: lastError,
        settled_at: now,
      })
    },

    /** Withdraws an order, pending or done; `addAgain` restarts it. */
    async withdraw(trx: Knex.Transaction, idempotencyKey: string, now: number): Promise<void> {
      const withdrawn = { status: 'failed', nonce: null, last_error: 'withdrawn', ...NOT_MINED }
      await trx('relayer_intents')
        .where({ idempotency_key: idempotencyKey })
        .update({ ...withdrawn, settled_at: now, updated_at: now })
    },

    /** Deletes all intents, because their chain is gone. Delete their transactions first. */
    async clear(trx: Knex.Transaction): Promise<void> {
      await trx('relayer_intents').delete()
    },
  }
}
