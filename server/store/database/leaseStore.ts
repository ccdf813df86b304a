import type { Knex } from 'knex'

export type LeaseStore = ReturnType<typeof createLeaseStore>

/** Leases, which give one process at a time an exclusive task. The lease of a process that dies expires. */
export function createLeaseStore() {
  return {
    /** Acquires a lease that is free, expired or already held by this holder; false if another holds it. */
    async acquire(
      trx: Knex.Transaction,
      lease: { name: string; holder: string; now: number; expiresAt: number },
    ): Promise<boolean> {
      const taken = await trx('leases')
        .where({ name: lease.name })
        .andWhere((free) => free.where({ holder: lease.holder }).orWhere('expires_at', '<=', lease.now))
        .update({ holder: lease.holder, expires_at: lease.expiresAt })
      if (taken === 1) return true
      await trx('leases')
        .insert({ name: lease.name, holder: lease.holder, expires_at: lease.expiresAt })
        .onConflict('name')
        .ignore()
      const row = await trx('leases').select('holder').where({ name: lease.name }).first()
      return row?.holder === lease.holder
    },

    /** Extends a held lease; false if it expired or another process holds it. Blocks other processes until commit. */
    async extend(
      trx: Knex.Transaction,
      lease: { name: string; holder: string; now: number; expiresAt: number },
    ): Promise<boolean> {
      const held = await trx('leases')
        .where({ name: lease.name, holder: lease.holder })
        .andWhere('expires_at', '>', lease.now)
        .update({ expires_at: lease.expiresAt })
      return held === 1
    },

    /** Releases a lease. */
    async release(trx: Knex.Transaction, lease: { name: string; holder: string }): Promise<void> {
      await trx('leases').where({ name: lease.name, holder: lease.holder }).delete()
    },
  }
}
