import type { Knex } from 'knex'

/** A dashboard notification; `subject` and `day` keep it to one a day. Source: `Spec: Alerts`. */
export type Alert = {
  id: string
  ownerId: string
  code: string
  severity: 'warning' | 'critical'
  /** What it is about, e.g. an endpoint's id. */
  subject: string
  /** ISO date, UTC. */
  day: string
  createdAt: number
  readAt: number | null
}

export type AlertStore = ReturnType<typeof createAlertStore>

/** Keeps alerts. */
export function createAlertStore(query: Knex) {
  return {
    /** Raises an alert unless the same one was raised that day. */
    async raise(alert: Omit<Alert, 'readAt'>): Promise<void> {
      await query('alerts')
        .insert({
          id: alert.id,
          owner_id: alert.ownerId,
          code: alert.code,
          severity: alert.severity,
          subject: alert.subject,
          day: alert.day,
          created_at: alert.createdAt,
        })
        .onConflict(['owner_id', 'code', 'subject', 'day'])
        .ignore()
    },

    /** Alerts of these owners, newest first; ids are UUIDv7, so they sort by time. */
    async list(ownerIds: readonly string[], page: { limit: number }): Promise<Alert[]> {
      return query('alerts')
        .select({
          id: 'id',
          ownerId: 'owner_id',
          code: 'code',
          severity: 'severity',
          subject: 'subject',
          day: 'day',
          createdAt: 'created_at',
          readAt: 'read_at',
        })
        .whereIn('owner_id', [...ownerIds])
        .orderBy('id', 'desc')
        .limit(page.limit)
    },
  }
}
