import type { Knex } from 'knex'
import { cutPage, orderNewestFirst, type StoredPage } from '../database/storedPage.ts'

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled'

/** Why an attempt failed. */
export type DeliveryError =
  | 'address_refused'
  | 'timed_out'
  | 'connection_failed'
  | 'redirected'
  | 'gone'
  | 'unexpected_status'

/** An event to deliver to an endpoint’s webhook; times are epoch milliseconds. */
export type WebhookDelivery = {
  id: string
  /** Internal id. */
  endpointId: string
  /** Identifies the event to the receiver; the same in every attempt and redelivery. */
  eventId: string
  eventType: string
  redeliveryOf: string | null
  /** The body, identical in every attempt. */
  payload: string
  /** Destination host and port; concurrency is limited per host. */
  host: string
  status: DeliveryStatus
  /** Number of attempts, including a running one. */
  attempts: number
  nextAttemptAt: number
  lastAttemptAt: number | null
  lastDurationMs: number | null
  /** HTTP status of the last response; null if there was none. */
  lastStatus: number | null
  /** Why the last attempt failed; null if it succeeded. */
  lastError: DeliveryError | null
  createdAt: number
  settledAt: number | null
}

export type NewDelivery = Pick<
  WebhookDelivery,
  'id' | 'endpointId' | 'eventId' | 'eventType' | 'redeliveryOf' | 'payload' | 'host' | 'createdAt'
> & {
  /** Sequence number of the event; null for tests and redeliveries. */
  seq: number | null
}

/** The outcome of an attempt, as shown in the delivery log. */
export type AttemptNote = Pick<
  WebhookDelivery,
  'attempts' | 'lastAttemptAt' | 'lastDurationMs' | 'lastStatus' | 'lastError'
>

const COLUMNS = {
  id: 'id',
  endpointId: 'endpoint_id',
  eventId: 'event_id',
  eventType: 'event_type',
  redeliveryOf: 'redelivery_of',
  payload: 'payload',
  host: 'host',
  status: 'status',
  attempts: 'attempts',
  nextAttemptAt: 'next_attempt_at',
  lastAttemptAt: 'last_attempt_at',
  lastDurationMs: 'last_duration_ms',
  lastStatus: 'last_status',
  lastError: 'last_error',
  createdAt: 'created_at',
  settledAt: 'settled_at',
} as const satisfies Record<keyof WebhookDelivery, string>

/** A literal, because SQLite uses a partial index only if the text of the statement implies its condition. */
const IS_PENDING = `status = 'pending'`

/**
 * Each host with pending deliveries, and when its first one is due. The index leads from one host to the next, however many
 * deliveries wait for any of them.
 */
const HOSTS_THAT_WAIT = `
  SELECT MIN(host) AS host FROM webhook_deliveries WHERE status = 'pending'
  UNION ALL
  SELECT (SELECT MIN(w.host) FROM webhook_deliveries AS w WHERE w.status = 'pending' AND w.host > hosts.host)
  FROM hosts WHERE hosts.host IS NOT NULL`
const FIRST_DUE = `(SELECT MIN(w.next_attempt_at) FROM webhook_deliveries AS w
  WHERE w.status = 'pending' AND w.host = hosts.host) AS due`

/** Rows per INSERT, limited by the number of values that a database accepts. */
const INSERTED_MAX = 100

export type WebhookDeliveryStore = ReturnType<typeof createWebhookDeliveryStore>

/**
 * The durable outbox of webhooks: a delivery is claimed by one UPDATE for each attempt, returned with the time of its next
 * attempt, and settled once.
 *
 * An expired claim can be taken again, so an event is sent at least once, under the same id.
 */
export function createWebhookDeliveryStore(query: Knex) {
  return {
    /** Adds deliveries to the outbox; a second delivery of an event to an endpoint is a no-op. */
    async add(
      trx: Knex.Transaction,
      added: readonly NewDelivery[],
      claimedUntil: number | null = null,
    ): Promise<void> {
      for (let at = 0; at < added.length; at += INSERTED_MAX) {
        const rows = added.slice(at, at + INSERTED_MAX).map((delivery) => rowOf(delivery, claimedUntil))
        await trx('webhook_deliveries').insert(rows).onConflict(['endpoint_id', 'seq']).ignore()
      }
    },

    /** Finds hosts with due deliveries, the longest waiting first, with one index lookup per host. */
    async dueHosts(find: { now: number; except: readonly string[]; limit: number }): Promise<string[]> {
      const waiting = query('hosts').select('host', query.raw(FIRST_DUE)).whereNotNull('host')
      const rows = await query
        .withRecursive('hosts', query.raw(HOSTS_THAT_WAIT))
        .select('host')
        .from(waiting.as('waiting'))
        .where('due', '<=', find.now)
        .whereNotIn('host', [...find.except])
        .orderBy('due')
        .limit(find.limit)
      return rows.map((row: { host: unknown }) => String(row.host))
    },

    /**
     * Claims the due deliveries for a host, oldest first, until the time at which their attempts count as lost; skips those
     * that another process has claimed.
     */
    async claim(
      trx: Knex.Transaction,
      { host, now, until, limit }: { host: string; now: number; until: number; limit: number },
    ): Promise<WebhookDelivery[]> {
      const next = trx('webhook_deliveries')
        .select('id')
        .whereRaw(IS_PENDING)
        .where({ host })
        .where('next_attempt_at', '<=', now)
        .orderBy([{ column: 'next_attempt_at' }, { column: 'position' }])
        .limit(limit)
      const rows = await trx('webhook_deliveries')
        .whereIn('id', next)
        .update({ next_attempt_at: until, attempts: trx.raw('attempts + 1') })
        .returning(Object.entries(COLUMNS).map(([field, column]) => `${column} as ${field}`))
      return rows.map(deliveryOf)
    },

    /** Settles a delivery, unless another claim has settled it in the meantime. */
    async settle(
      trx: Knex.Transaction,
      id: string,
      end: { status: Exclude<DeliveryStatus, 'pending'>; now: number; note: AttemptNote },
    ): Promise<void> {
      await trx('webhook_deliveries')
        .where({ id, status: 'pending' })
        .update({ ...columnsOf(end.note), status: end.status, settled_at: end.now })
    },

    /** Returns a claimed delivery for a later attempt, unless it was claimed again in the meantime. */
    async retryAt(
      trx: Knex.Transaction,
      id: string,
      retry: { nextAttemptAt: number; note: AttemptNote },
    ): Promise<void> {
      await trx('webhook_deliveries')
        .where({ id, status: 'pending', attempts: retry.note.attempts })
        .update({ ...columnsOf(retry.note), next_attempt_at: retry.nextAttemptAt })
    },

    /** Returns a claimed delivery as if its attempt had not begun; it is due at the given time. */
    async release(
      trx: Knex.Transaction,
      { id, attempts }: Pick<WebhookDelivery, 'id' | 'attempts'>,
      dueAt: number,
    ): Promise<void> {
      await trx('webhook_deliveries')
        .where({ id, status: 'pending', attempts })
        .update({ attempts: attempts - 1, next_attempt_at: dueAt })
    },

    /** Cancels all pending deliveries of an endpoint. */
    async cancelPending(trx: Knex.Transaction, endpointId: string, now: number): Promise<void> {
      await trx('webhook_deliveries')
        .whereRaw(IS_PENDING)
        .where({ endpoint_id: endpointId })
        .update({ status: 'cancelled', settled_at: now })
    },

    /** Moves the pending deliveries of an endpoint to another host. */
    async moveHost(trx: Knex.Transaction, endpointId: string, host: string): Promise<void> {
      await trx('webhook_deliveries').whereRaw(IS_PENDING).where({ endpoint_id: endpointId }).update({ host })
    },

    async byId(endpointId: string, id: string, reader: Knex = query): Promise<WebhookDelivery | null> {
      const found = reader('webhook_deliveries').select(COLUMNS)
      const row = await found.where({ endpoint_id: endpointId, id }).first()
      return row ? deliveryOf(row) : null
    },

    /** Reads the deliveries of an endpoint, newest first; `nextBefore` is null at the end. */
    async list(
      endpointId: string,
      page: { limit: number; before: number | null },
    ): Promise<StoredPage<WebhookDelivery>> {
      const deliveries = query('webhook_deliveries')
        .select({ ...COLUMNS, position: 'position' })
        .where({ endpoint_id: endpointId })
      const rows = await orderNewestFirst(deliveries, page.before).limit(page.limit + 1)
      return cutPage(rows, page.limit, deliveryOf)
    },

    /** Deletes at most `limit` deliveries that were settled before a given time; returns how many. */
    async prune(trx: Knex.Transaction, settled: { before: number; limit: number }): Promise<number> {
      const old = trx('webhook_deliveries')
        .select('id')
        .whereNotNull('settled_at')
        .where('settled_at', '<', settled.before)
        .limit(settled.limit)
      return trx('webhook_deliveries').whereIn('id', old).delete()
    },
  }
}

function rowOf(delivery: NewDelivery, claimedUntil: number | null): Record<string, unknown> {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    redelivery_of: delivery.redeliveryOf,
    seq: delivery.seq,
    payload: delivery.payload,
    host: delivery.host,
    status: 'pending',
    attempts: claimedUntil === null ? 0 : 1,
    next_attempt_at: claimedUntil ?? delivery.createdAt,
    created_at: delivery.createdAt,
  }
}

function columnsOf(note: AttemptNote): Record<string, unknown> {
  return {
    last_attempt_at: note.lastAttemptAt,
    last_duration_ms: note.lastDurationMs,
    last_status: note.lastStatus,
    last_error: note.lastError,
  }
}

function deliveryOf(row: Record<string, unknown>): WebhookDelivery {
  const { position: _, ...delivery } = row as WebhookDelivery & { position: number }
  return {
    ...delivery,
    nextAttemptAt: Number(row.nextAttemptAt),
    lastAttemptAt: row.lastAttemptAt === null ? null : Number(row.lastAttemptAt),
    createdAt: Number(row.createdAt),
    settledAt: row.settledAt === null ? null : Number(row.settledAt),
  }
}
