import type { Db } from '../../store/database/database.ts'
import type { LeaseStore } from '../../store/database/locks/leaseStore.ts'
import type { WhileLeaseHeld } from './relayerDeps.ts'

/** Long enough for a few slow requests, and short enough that another process takes over soon. */
const LEASE_MS = 20_000
/** The lease is renewed once less than this is left of it. */
const RENEW_MS = 10_000
/** While the chain is waited for, a call may take longer than `RENEW_MS`, so it begins with all but this. */
const RENEWED_MS = 1_000
const NAME = 'relayer'

/** Another process has become the relayer and takes over the unfinished work. */
export class LeaseLost extends Error {
  constructor() {
    super('the relayer lease was lost')
  }
}

export type RelayerLease = ReturnType<typeof createRelayerLease>

type LeaseDeps = {
  db: Pick<Db, 'transaction'>
  leases: LeaseStore
  /** Milliseconds, monotonic where other processes may take over. */
  clock: () => number
  /** Identifies this process among all others. */
  holder: string
  /** Shows the others that this process runs; its lease may otherwise be taken over before it expires. */
  showPresence?: (() => Promise<void>) | undefined
}

/**
 * Creates the lease that keeps the relayer a single process. A process that stalls past its lease, or that others take for
 * dead, can no longer write: every write of the relayer goes through `whileLeaseHeld`, which extends the lease in the same
 * transaction or fails.
 */
export function createRelayerLease({ db, leases, clock, holder, showPresence }: LeaseDeps) {
  let heldUntil = Number.NEGATIVE_INFINITY
  const held = { name: NAME, holder, durationMs: LEASE_MS }
  const whileLeaseHeld: WhileLeaseHeld = async (work) => {
    const extendedAt = clock()
    const result = await db.transaction(async (trx) => {
      if (!(await leases.extend(trx, held))) {
        heldUntil = Number.NEGATIVE_INFINITY
        throw new LeaseLost()
      }
      return await work(trx)
    })
    heldUntil = extendedAt + LEASE_MS
    return result
  }
  return {
    /** Takes or keeps the lease; returns false while another process holds it. */
    async acquire(): Promise<boolean> {
      if (clock() < heldUntil - RENEW_MS) return true
      await showPresence?.()
      const acquiredAt = clock()
      const isHeld = await leases.acquire(held)
      heldUntil = isHeld ? acquiredAt + LEASE_MS : Number.NEGATIVE_INFINITY
      return isHeld
    },
    /** Keeps the lease while the chain is waited for. @throws LeaseLost if it is not held any more. */
    async renew(): Promise<void> {
      if (clock() >= heldUntil - LEASE_MS + RENEWED_MS) await whileLeaseHeld(async () => undefined)
    },
    /** Runs a write in a transaction of its own. @throws LeaseLost if this process is not the relayer. */
    whileLeaseHeld,
    /** Lets another process take over at once. */
    async release(): Promise<void> {
      heldUntil = Number.NEGATIVE_INFINITY
      await leases.release({ name: NAME, holder })
    },
  }
}
