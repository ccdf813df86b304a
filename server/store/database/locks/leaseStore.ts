import type { Knex } from 'knex'

export type LeaseStore = ReturnType<typeof createLeaseStore>

type Lease = { name: string; holder: string; durationMs: number }

export type LeaseStoreOptions = {
  /** Epoch milliseconds; by default, the clock of PostgreSQL, because those of several hosts may differ. */
  clock?: (() => number) | undefined
  /** SQL condition on a lease: its holder does not run any more. By default, nobody knows. */
  holderIsGone?: string | undefined
}

/** The clock of PostgreSQL; not the time of the transaction, which may have waited. */
const DATABASE_NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/**
 * Leases, which give one process at a time an exclusive task. The lease of a process that dies expires, and ends before that
 * if the database shows who is gone.
 */
export function createLeaseStore(query: Knex, { clock, holderIsGone = 'FALSE' }: LeaseStoreOptions = {}) {
  const nowPlus = (ms: number) =>
    clock === undefined ? query.raw(`${DATABASE_NOW} + ?::bigint`, [ms]) : query.raw('?', [clock() + ms])
  return {
    /**
     * Acquires a lease that is free, expired, of a holder that is gone or already held by this one; false if another holds
     * it. Each statement is correct by itself, so it waits for no use case.
     *
     * A lease that ends much later than any that is given now is of a wrong clock, and counts as expired.
     */
    async acquire({ name, holder, durationMs }: Lease): Promise<boolean> {
      const taken = await query('leases')
        .where({ name })
        .andWhere((free) =>
          free
            .where({ holder })
            .orWhere('expires_at', '<=', nowPlus(0))
            .orWhere('expires_at', '>', nowPlus(2 * durationMs))
            .orWhereRaw(`(${holderIsGone})`),
        )
        .update({ holder, expires_at: nowPlus(durationMs) })
      if (taken === 1) return true
      const added = await query('leases')
        .insert({ name, holder, expires_at: nowPlus(durationMs) })
        .onConflict('name')
        .ignore()
        .returning('name')
      return added.length > 0
    },

    /** Extends a held lease; false if it expired or another process holds it. Blocks other processes until commit. */
    async extend(trx: Knex.Transaction, lease: Lease): Promise<boolean> {
      const held = await trx('leases')
        .where({ name: lease.name, holder: lease.holder })
        .andWhere('expires_at', '>', nowPlus(0))
        .update({ expires_at: nowPlus(lease.durationMs) })
      return held === 1
    },

    /** Releases a lease. */
    async release({ name, holder }: Pick<Lease, 'name' | 'holder'>): Promise<void> {
      await query('leases').where({ name, holder }).delete()
    },
  }
}
