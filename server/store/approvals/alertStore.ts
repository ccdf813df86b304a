import type { Knex } from 'knex'
import { cutPage, orderNewestFirst, type StoredPage } from '../database/storedPage.ts'

/** A dashboard notification, raised at most once per `subject` and `day`. Source: `Spec: Alerts`. */
export type Alert = {
  id: string
  ownerId: string
  code: string
  severity: 'warning' | 'critical'
  /** The subject, for example the id of an endpoint. */
  subject: string
  /** ISO date, UTC. */
  day: string
  /** Public identifiers of the subject, for the link on the dashboard. */
  data: Record<string, string>
  createdAt: number
}

/** A raised alert; `readAt` is null until its owner has read it. */
export type StoredAlert = Alert & { readAt: number | null }

export type AlertStore = ReturnType<typeof createAlertStore>

const COLUMNS = {
  position: 'position',
  id: 'id',
  ownerId: 'owner_id',
  code: 'code',
  severity: 'severity',
  subject: 'subject',
  day: 'day',
  data: 'data',
  createdAt: 'created_at',
  readAt: 'read_at',
}

/** Stores alerts. */
export function createAlertStore(query: Knex) {
  return {
    /** Raises an alert unless it was already raised that day. */
    async raise(alert: Alert, run: Knex = query): Promise<void> {
      await run('alerts')
        .insert({
          id: alert.id,
          owner_id: alert.ownerId,
          code: alert.code,
          severity: alert.severity,
          subject: alert.subject,
          day: alert.day,
          data: JSON.stringify(alert.data),
          created_at: alert.createdAt,
        })
        .onConflict(['owner_id', 'code', 'subject', 'day'])
        .ignore()
    },

    /** Reads alerts of these owners, newest first; `nextBefore` is null at the end. */
    async listByOwners(
      ownerIds: readonly string[],
      { unreadOnly }: { unreadOnly: boolean },
      page: { limit: number; before: number | null },
    ): Promise<StoredPage<StoredAlert>> {
      const alerts = query('alerts')
        .select(COLUMNS)
        .whereIn('owner_id', [...ownerIds])
      if (unreadOnly) alerts.whereNull('read_at')
      const rows = await orderNewestFirst(alerts, page.before).limit(page.limit + 1)
      return cutPage(rows, page.limit, alertOf)
    },

    /** Marks these owners’ alerts with the given ids as read, keeping earlier times, and returns them newest first. */
    async markRead(
      trx: Knex.Transaction,
      { ids, ownerIds, now }: { ids: readonly string[]; ownerIds: readonly string[]; now: number },
    ): Promise<StoredAlert[]> {
      const own = () => trx('alerts').whereIn('id', ids).whereIn('owner_id', ownerIds)
      await own().whereNull('read_at').update({ read_at: now })
      return (await own().select(COLUMNS).orderBy('position', 'desc')).map(alertOf)
    },
  }
}

function alertOf(row: Record<string, unknown>): StoredAlert {
  const { position: _, ...alert } = row as StoredAlert & { position: number }
  return {
    ...alert,
    data: JSON.parse(String(row.data)),
    createdAt: Number(row.createdAt),
    readAt: row.readAt === null ? null : Number(row.readAt),
  }
}
