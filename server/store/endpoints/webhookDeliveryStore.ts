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

/** One event on its way to one endpoint's webhook; times in epoch milliseconds. */
export type WebhookDelivery = {
  id: string
  /** Internal id. */
  endpointId: string
  /** Names the event to the receiver; the same in every attempt and redelivery. */
  eventId: string
  eventType: string
  redeliveryOf: string | null
  /** The body, byte for byte the same in every attempt. */
  payload: string
  /** Host and port it goes to; bounds how many go there at once. */
  host: string
  status: DeliveryStatus
  /** Tries so far, one under way included. */
  attempts: number
  nextAttemptAt: number
  lastAttemptAt: number | null
  lastDurationMs: number | null
  /** HTTP status of the last answer; null when there was none. */
  lastStatus: number | null
  /** Why the last attempt failed; null when it did not. */
  lastError: DeliveryError | null
  createdAt: number
  settledAt: number | null
}

export type NewDelivery = Pick<
  WebhookDelivery,
  'id' | 'endpointId' | 'eventId' | 'eventType' | 'redeliveryOf' | 'payload' | 'host' | 'createdAt'
> & {
  /** Place of the event in the log; null for tests and redeliveries. */
  seq: number | null
}

/** How an attempt ended, as the log of deliveries keeps it. */
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

/** Written out, because SQLite takes a partial index only for a condition that it can read. */
const IS_PENDING = `status = 'pending'`

/**
 * Each host with something pending, and when the first of it is due: from one host to the next by the index, however much
 * waits for any of them.
 */
const HOSTS_THAT_WAIT = `
  SELECT MIN(host) AS host FROM webhook_deliveries WHERE status = 'pending'
  UNION ALL
  SELECT (SELECT MIN(w.host) FROM webhook_deliveries AS w WHERE w.status = 'pending' AND w.host > hosts.host)
  FROM hosts WHERE hosts.host IS NOT NULL`
const FIRST_DUE = `(SELECT MIN(w.next_attempt_at) FROM webhook_deliveries AS w
  WHERE w.status = 'pending' AND w.host = hosts.host) AS due`

/** Rows of one INSERT; a database bounds the values it takes. */
const INSERTED_MAX = 100

export type WebhookDeliveryStore = ReturnType<typeof createWebhookDeliveryStore>

/**
 * The durable outbox of webhooks: claimed by one UPDATE for an attempt, given back with the time of the next one, and
 * settled once.
 *
 * A claim that runs out is taken again, so an event is sent at least once, under the same id.
 */
export function createWebhookDeliveryStore(query: Knex) {
  return {
    /** Puts deliveries into the outbox; an event that its endpoint was told of already is a no-op. */
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

    /** Hosts for which something is due, the one that waits longest first; one look into an index for each. */
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
     * Takes what is due for one host, oldest first, until a time at which the attempts count as lost; what another process
     * took meanwhile is left out.
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

    /** Ends a delivery. What another claim has settled meanwhile stays as it is. */
    async settle(
      trx: Knex.Transaction,
      id: string,
      end: { status: Exclude<DeliveryStatus, 'pending'>; now: number; note: AttemptNote },
    ): Promise<void> {
      await trx('webhook_deliveries')
        .where({ id, status: 'pending' })
        .update({ ...columnsOf(end.note), status: end.status, settled_at: end.now })
    },

    /** Gives a claimed delivery back for another attempt later, unless it was claimed anew meanwhile. */
    async retryAt(
      trx: Knex.Transaction,
      id: string,
      retry: { nextAttemptAt: number; note: AttemptNote },
    ): Promise<void> {
      await trx('webhook_deliveries')
        .where({ id, status: 'pending', attempts: retry.note.attempts })
        .update({ ...columnsOf(retry.note), next_attempt_at: retry.nextAttemptAt })
    },

    /** Gives a claimed delivery back as if its attempt had not begun. */
    async release(
      trx: Knex.Transaction,
      { id, attempts }: Pick<WebhookDelivery, 'id' | 'attempts'>,
      now: number,
    ): Promise<void> {
      await trx('webhook_deliveries')
        .where({ id, status: 'pending', attempts })
        .update({ attempts: attempts - 1, next_attempt_at: now })
    },

    /** Ends everything that still waits for one endpoint. */
    async cancelPending(trx: Knex.Transaction, endpointId: string, now: number): Promise<void> {
      await trx('webhook_deliveries')
        .whereRaw(IS_PENDING)
        .where({ endpoint_id: endpointId })
        .update({ status: 'cancelled', settled_at: now })
    },

    /** Leads what still waits for one endpoint elsewhere. */
    async moveHost(trx: Knex.Transaction, endpointId: string, host: string): Promise<void> {
      await trx('webhook_deliveries').whereRaw(IS_PENDING).where({ endpoint_id: endpointId }).update({ host })
    },

    async byId(endpointId: string, id: string, reader: Knex = query): Promise<WebhookDelivery | null> {
      const found = reader('webhook_deliveries').select(COLUMNS)
      const row = await found.where({ endpoint_id: endpointId, id }).first()
      return row ? deliveryOf(row) : null
    },

    /** Deliveries of an endpoint, newest first; `nextBefore` is null at the end. */
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

    /** Forgets deliveries that were settled before a time, at most `limit` of them; answers how many. */
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
