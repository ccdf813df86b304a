import type { Knex } from 'knex'

/** Settings that have to be the same in all processes of a database. */
export type ProcessSettings = {
  publicUrl: string
  auditLogs: number
  /** Addresses of the contracts that the process works with, by setting; those that it does not know yet are missing. */
  contracts: Readonly<Record<string, string>>
}

export type ProcessSettingsStore = ReturnType<typeof createProcessSettingsStore>

/** Stores the settings of the processes that run over a PostgreSQL database. Its clock decides which of them still do. */
export function createProcessSettingsStore(query: Knex) {
  return {
    /** Stores that a process runs with these settings, and forgets those that are long gone. */
    async show(process: string, { publicUrl, auditLogs, ...settings }: ProcessSettings): Promise<void> {
      const contracts = JSON.stringify(settings.contracts)
      await query('process_settings')
        .insert({ process, public_url: publicUrl, audit_logs: auditLogs, contracts })
        .onConflict('process')
        .merge({ seen_at: query.raw('now()'), contracts })
      await query('process_settings').whereRaw("seen_at < now() - interval '1 hour'").delete()
    },

    /** Reads the settings of all processes that have shown themselves in the last seconds, each combination once. */
    async live(seconds: number): Promise<ProcessSettings[]> {
      const rows = await query('process_settings')
        .distinct('public_url', 'audit_logs', 'contracts')
        .whereRaw('seen_at > now() - make_interval(secs => ?)', [seconds])
        .orderBy(['public_url', 'audit_logs', 'contracts'])
        .limit(100)
      return rows.map((row) => ({
        publicUrl: row.public_url,
        auditLogs: row.audit_logs,
        // Earlier releases do not say.
        contracts: JSON.parse(row.contracts ?? '{}'),
      }))
    },

    async remove(process: string): Promise<void> {
      await query('process_settings').where({ process }).delete()
    },
  }
}
