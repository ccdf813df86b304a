import type { Knex } from 'knex'
import { EVENT_COLUMNS } from '../audit/auditRecordStore.ts'
import { countCommittedRecords } from '../audit/pendingRecords.ts'
import type { ActivityRecord } from '../feed/activityStore.ts'

/** The webhook settings of an endpoint; times are epoch milliseconds. */
export type Webhook = {
  /** Internal id. */
  endpointId: string
  ownerId: string
  endpointStatus: 'active' | 'deactivated' | 'archived'
  /** Null if there is none. */
  url: string | null
  /** Encrypted; null before the endpoint is claimed. */
  secret: string | null
  secretLastFour: string | null
  /** The secret before the last rotation, encrypted; it also signs until `previousSecretUntil`. */
  previousSecret: string | null
  previousSecretUntil: number | null
  /** When the receiver responded 410 Gone; null otherwise. */
  disabledAt: number | null
}

/** An event to deliver to an endpoint’s webhook. */
export type HookedEvent = ActivityRecord & { endpointOwnerId: string; webhookUrl: string }

const COLUMNS = {
  endpointId: 'id',
  ownerId: 'owner_id',
  endpointStatus: 'status',
  url: 'webhook_url',
  secret: 'webhook_secret',
  secretLastFour: 'webhook_secret_last_four',
  previousSecret: 'previous_webhook_secret',
  previousSecretUntil: 'previous_webhook_secret_until',
  disabledAt: 'webhook_disabled_at',
} as const satisfies Record<keyof Webhook, string>

export type WebhookStore = ReturnType<typeof createWebhookStore>

/** Stores the webhooks of endpoints, and up to which log index deliveries were created. */
export function createWebhookStore(query: Knex) {
  return {
    /** Reads a webhook by the endpoint’s internal id. */
    async ofEndpoint(endpointId: string, reader: Knex = query): Promise<Webhook | null> {
      const row = await reader('endpoints').select(COLUMNS).where({ id: endpointId }).first()
      return row ? webhookOf(row) : null
    },

    /** Sends events recorded from now on to a URL. */
    async set(trx: Knex.Transaction, endpointId: string, url: string): Promise<void> {
      const fromSeq = await countCommittedRecords(trx)
      await trx('endpoints')
        .where({ id: endpointId })
        .update({ webhook_url: url, webhook_from_seq: fromSeq, webhook_disabled_at: null })
    },

    async remove(trx: Knex.Transaction, endpointId: string): Promise<void> {
      await trx('endpoints')
        .where({ id: endpointId })
        .update({ webhook_url: null, webhook_from_seq: null, webhook_disabled_at: null })
    },

    /** Disables the webhook but keeps its URL; false if it was changed or disabled in the meantime. */
    async disable(
      trx: Knex.Transaction,
      { endpointId, url, now }: { endpointId: string; url: string; now: number },
    ): Promise<boolean> {
      const disabled = await trx('endpoints')
        .where({ id: endpointId, webhook_url: url })
        .whereNull('webhook_disabled_at')
        .update({ webhook_disabled_at: now, webhook_from_seq: null })
      return disabled === 1
    },

    /** Replaces the current secret, which becomes the previous one. */
    async rotateSecret(
      trx: Knex.Transaction,
      endpointId: string,
      secret: { stored: string; lastFour: string; previous: string | null; previousUntil: number },
    ): Promise<void> {
      await trx('endpoints').where({ id: endpointId }).update({
        webhook_secret: secret.stored,
        webhook_secret_last_four: secret.lastFour,
        previous_webhook_secret: secret.previous,
        previous_webhook_secret_until: secret.previousUntil,
      })
    },

    /** Reads the log index from which deliveries are to be created; null if there are no webhooks. */
    async nextPlace(): Promise<{ stored: number; from: number } | null> {
      const hooked = await query('endpoints')
        .whereNotNull('webhook_from_seq')
        .min({ seq: 'webhook_from_seq' })
        .first()
      if (hooked?.seq === null || hooked?.seq === undefined) return null
      const row = await query('webhook_position').select('next_seq').where({ id: 1 }).first()
      const stored = Number(row.next_seq)
      return { stored, from: Math.max(stored, Number(hooked.seq)) }
    },

    /** Reads the events in a range of the log that involve an endpoint with a webhook, in order. */
    async hookedEvents({ from, to }: { from: number; to: number }): Promise<HookedEvent[]> {
      const columns = Object.fromEntries(
        Object.entries(EVENT_COLUMNS).map(([field, column]) => [field, `r.${column}`]),
      )
      return query('audit_records as r')
        .join('endpoints as e', (on) =>
          on.on('e.id', 'r.endpoint_id').andOn('e.owner_id', 'r.counterparty_owner_id'),
        )
        .select({ ...columns, endpointOwnerId: 'e.owner_id', webhookUrl: 'e.webhook_url' })
        .where('r.seq', '>=', from)
        .where('r.seq', '<', to)
        .where('r.event_type', 'like', 'verification.%')
        .whereRaw('r.seq >= e.webhook_from_seq')
        .whereNot('e.status', 'archived')
        .orderBy('r.seq')
    },

    /** Advances the log index; false if another process has advanced it. */
    async advance(trx: Knex.Transaction, place: { stored: number; next: number }): Promise<boolean> {
      const moved = await trx('webhook_position')
        .where({ id: 1, next_seq: place.stored })
        .update({ next_seq: place.next })
      return moved === 1
    },
  }
}

function webhookOf(row: Record<keyof Webhook, unknown>): Webhook {
  return {
    ...(row as Webhook),
    previousSecretUntil: row.previousSecretUntil === null ? null : Number(row.previousSecretUntil),
    disabledAt: row.disabledAt === null ? null : Number(row.disabledAt),
  }
}
