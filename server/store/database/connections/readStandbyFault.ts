import type { Knex } from 'knex'

type Standbys = { attached: boolean; synchronous: boolean; names: string; commit: string }

/** SQLSTATE class "syntax error or access rule violation". Source: PostgreSQL 15 appendix A. */
const REFUSED = /^42...$/

/**
 * Reads why a recorded decision could be lost with the primary: standbys are attached and no commit waits for one.
 *
 * A role without `pg_read_all_stats` sees that standbys are attached but not their state. With
 * `synchronous_standby_names`, commits wait even while no standby matches it, so that setting decides then. Logical
 * subscribers and running base backups are not standbys.
 *
 * @returns A sentence for the operator; null if nothing is wrong, or if the role may not read any of this.
 * Source: PostgreSQL 15 §27.2.8 "Synchronous Replication", §28.2.3 "pg_stat_replication".
 */
export async function readStandbyFault(query: Knex): Promise<string | null> {
  const standbys = await readStandbys(query)
  if (!standbys?.attached) return null
  if (standbys.commit === 'local') {
    return 'PostgreSQL commits with synchronous_commit=local, so a standby may lack recorded decisions when the primary fails: set it to on'
  }
  if (standbys.synchronous || standbys.names !== '') return null
  return 'PostgreSQL has standbys and none is synchronous, so recorded decisions are lost when the primary fails: set synchronous_standby_names'
}

async function readStandbys(query: Knex): Promise<Standbys | undefined> {
  try {
    const { rows } = await query.raw(READ_STANDBYS)
    return rows[0]
  } catch (error) {
    if (REFUSED.test(String((error as { code?: unknown }).code))) return undefined
    throw error
  }
}

const READ_STANDBYS = `SELECT count(*) > 0 AS attached,
    coalesce(bool_or(sync_state IN ('sync', 'quorum')), false) AS synchronous,
    current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS commit
  FROM pg_stat_replication AS sender
  WHERE coalesce(application_name, '') <> 'pg_basebackup' AND NOT EXISTS
    (SELECT 1 FROM pg_replication_slots WHERE active_pid = sender.pid AND slot_type = 'logical')`
