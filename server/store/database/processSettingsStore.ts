import type { Knex } from 'knex'

/** A process that has not shown itself for three rounds of ten seconds has ended. */
const LIVE_SECONDS = 30

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
    /**
     * Stores that a process runs with these settings, and forgets those that are long gone.
     *
     * @param secretsKey Id of the key with which it encrypts secrets.
     */
    async show(
      process: string,
      { publicUrl, auditLogs, ...settings }: ProcessSettings,
      secretsKey: string,
    ): Promise<void> {
      const contracts = JSON.stringify(settings.contracts)
      const row = { public_url: publicUrl, audit_logs: auditLogs, contracts, secrets_key: secretsKey }
      await query('process_settings')
        .insert({ process, ...row })
        .onConflict('process')
        .merge({ seen_at: query.raw('now()'), contracts })
      await query('process_settings').whereRaw("seen_at < now() - interval '1 hour'").delete()
    },

    /** Reads the settings of all processes that have shown themselves in the last seconds, each combination once. */
    async live(): Promise<ProcessSettings[]> {
      const rows = await liveRows(query)
        .distinct('public_url', 'audit_logs', 'contracts')
        .orderBy(['public_url', 'audit_logs', 'contracts'])
        .limit(100)
      return rows.map((row) => ({
        publicUrl: row.public_url,
        auditLogs: row.audit_logs,
        // Earlier releases do not say.
        contracts: JSON.parse(row.contracts ?? '{}'),
      }))
    },

    /**
     * Reads the ids of the keys with which these processes encrypt, each once; null stands for processes of an earlier
     * release, which do not say.
     */
    async liveSecretsKeys(run: Knex = query): Promise<(string | null)[]> {
      const rows = await liveRows(run).distinct('secrets_key').limit(100)
      return rows.map((row) => row.secrets_key)
    },

    async remove(process: string): Promise<void> {
      await query('process_settings').where({ process }).delete()
    },
  }
}

function liveRows(run: Knex): Knex.QueryBuilder {
  return run('process_settings').whereRaw('seen_at > now() - make_interval(secs => ?)', [LIVE_SECONDS])
}
