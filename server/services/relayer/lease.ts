import type { Db } from '../../store/database/database.ts'
import type { LeaseStore } from '../../store/database/leaseStore.ts'
import type { Fenced } from './relayerDeps.ts'

/** Long enough for a few slow requests, short enough that another process takes over soon. */
const LEASE_MS = 20_000
/** Kept without a write until this much of it is left. */
const RENEW_MS = 10_000
const NAME = 'relayer'

/** Another process is the relayer now; whatever was being done is left to it. */
export class LeaseLost extends Error {
  constructor() {
    super('the relayer lease was lost')
  }
}

export type RelayerLease = ReturnType<typeof createRelayerLease>

type LeaseDeps = {
  db: Pick<Db, 'transaction'>
  leases: LeaseStore
  clock: () => number
  /** Names this process among all. */
  holder: string
}

/**
 * One relayer at a time. A process that stalls past its lease cannot write any more: every write of the relayer goes
 * through `fenced`, which extends the lease in the same transaction or fails.
 *
 * Source: onchain.md "Relayer".
 */
export function createRelayerLease({ db, leases, clock, holder }: LeaseDeps) {
  let heldUntil = 0
  const next = () => {
    const now = clock()
    return { name: NAME, holder, now, expiresAt: now + LEASE_MS }
  }
  const fenced: Fenced = async (work) => {
    const lease = next()
    const result = await db.transaction(async (trx) => {
      if (!(await leases.extend(trx, lease))) {
        heldUntil = 0
        throw new LeaseLost()
      }
      return await work(trx)
    })
    heldUntil = lease.expiresAt
    return result
  }
  return {
    /** Takes or keeps the lease; false while another process has it. */
    async acquire(): Promise<boolean> {
      if (clock() < heldUntil - RENEW_MS) return true
      const lease = next()
      const isHeld = await db.transaction((trx) => leases.acquire(trx, lease))
      heldUntil = isHeld ? lease.expiresAt : 0
      return isHeld
    },
    /** Runs a write in a transaction of its own. @throws LeaseLost when this process is not the relayer. */
    fenced,
    /** Lets another process take over at once. */
    async release(): Promise<void> {
      heldUntil = 0
      await db.transaction((trx) => leases.release(trx, { name: NAME, holder }))
    },
  }
}
