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
}

export type AlertStore = ReturnType<typeof createAlertStore>

/** Keeps alerts. */
export function createAlertStore(query: Knex) {
  return {
    /** Raises an alert unless the same one was raised that day. */
    async raise(alert: Alert): Promise<void> {
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
  }
}
