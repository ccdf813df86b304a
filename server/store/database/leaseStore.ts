import type { Knex } from 'knex'

export type LeaseStore = ReturnType<typeof createLeaseStore>

type Lease = { name: string; holder: string; now: number; expiresAt: number }

/**
 * Leases, which give one process at a time an exclusive task. The lease of a process that dies expires, and ends before that
 * if the database shows who is gone.
 *
 * @param holderIsGone SQL condition on a lease: its holder does not run any more. By default, nobody knows.
 */
export function createLeaseStore(query: Knex, holderIsGone = 'FALSE') {
  return {
    /**
     * Acquires a lease that is free, expired, of a holder that is gone or already held by this one; false if another holds
     * it. Each statement is correct by itself, so it waits for no use case.
     */
    async acquire({ name, holder, now, expiresAt }: Lease): Promise<boolean> {
      const taken = await query('leases')
        .where({ name })
        .andWhere((free) =>
          free.where({ holder }).orWhere('expires_at', '<=', now).orWhereRaw(`(${holderIsGone})`),
        )
        .update({ holder, expires_at: expiresAt })
      if (taken === 1) return true
      const added = await query('leases')
        .insert({ name, holder, expires_at: expiresAt })
        .onConflict('name')
        .ignore()
        .returning('name')
      return added.length > 0
    },

    /** Extends a held lease; false if it expired or another process holds it. Blocks other processes until commit. */
    async extend(trx: Knex.Transaction, lease: Lease): Promise<boolean> {
      const held = await trx('leases')
        .where({ name: lease.name, holder: lease.holder })
        .andWhere('expires_at', '>', lease.now)
        .update({ expires_at: lease.expiresAt })
      return held === 1
    },

    /** Releases a lease. */
    async release({ name, holder }: Pick<Lease, 'name' | 'holder'>): Promise<void> {
      await query('leases').where({ name, holder }).delete()
    },
  }
}
