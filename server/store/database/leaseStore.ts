import type { Knex } from 'knex'

export type LeaseStore = ReturnType<typeof createLeaseStore>

/**
 * Leases: which process does a thing that only one may do at a time. A holder that dies loses it by the clock.
 * Source: onchain.md "Relayer".
 */
export function createLeaseStore() {
  return {
    /** Takes a lease that is free, run out, or held already; false when another holds it. */
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

    /** Extends a lease that is still held; false when it ran out or another has it. Blocks others until commit. */
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

    /** Gives a lease back. */
    async release(trx: Knex.Transaction, lease: { name: string; holder: string }): Promise<void> {
      await trx('leases').where({ name: lease.name, holder: lease.holder }).delete()
    },
  }
}
