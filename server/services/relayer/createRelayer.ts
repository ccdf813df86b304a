import { ApiError } from '../../errors.ts'
import type { Deployment } from '../../store/relayer/deploymentStore.ts'
import { LeaseLost, type RelayerLease } from './lease.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import { relayOnce } from './relayOnce.ts'
import type { ForkWatch } from './reopenLost.ts'
import { retryPause } from './retryPause.ts'
import { spareBudget } from './spareBudget.ts'

/** How the relayer feels, for health and metrics. */
export type RelayerStatus = {
  /** Whether the chain answered when last asked. */
  reachable: boolean
  /** Intents that are not settled. */
  backlog: number
  /** What went wrong last; null once all is well again. */
  lastError: string | null
  balanceLow: boolean
  /** In wei, when last asked; null before. */
  balance: bigint | null
  /** What may still be spent of the last 24 hours' budget; null where there is none. */
  spareGwei: number | null
  /** Whether this process is the relayer, and not another one. */
  isRelayer: boolean
}

type CreateRelayerDeps = {
  relay: RelayerDeps
  lease: Pick<RelayerLease, 'acquire'>
  /** Makes sure that the chain is the one that is remembered; asked again after each time it was away. */
  ensure: () => Promise<Deployment>
  /** In wei; below it the purse counts as low. */
  lowBalance: bigint
}

/** The chain is looked at this often when there is nothing to do, so that health knows. */
const LOOK_MS = 10_000
const PAUSE_MAX_MS = 15_000

/**
 * The relayer of this process: rounds that never throw, and what they found.
 *
 * A chain that is away is no failure: the rows stay, the pauses grow, and when it is back it is compared with what is
 * remembered before anything is sent.
 * Source: onchain.md "Relayer".
 */
export function createRelayer({ relay, lease, ensure, lowBalance }: CreateRelayerDeps) {
  const { chain, stores, clock, log } = relay
  let deployment: Deployment | null = null
  let isRelayer = false
  let reachable = false
  let lastError: string | null = null
  let balance: bigint | null = null
  let failures = 0
  let pausedUntil = 0
  let lookAt = 0
  const watch: ForkWatch = { last: null }

  const look = async (): Promise<void> => {
    balance = await chain.readBalance(chain.relayerAddress)
    reachable = true
    lookAt = clock() + LOOK_MS
  }

  const round = async (): Promise<number> => {
    isRelayer = await lease.acquire()
    // Before the look: this is what starts a local chain again that has crashed.
    if (isRelayer) deployment ??= await ensure()
    const isLookDue = clock() >= lookAt
    if (isLookDue) await look()
    const moved = isRelayer && deployment !== null ? await work(deployment, isLookDue) : 0
    // Also where another process is the relayer: a failure is followed by a look at the chain, and that went well.
    failures = 0
    lastError = null
    return moved
  }

  const work = async (on: Deployment, isLookDue: boolean): Promise<number> => {
    // Also with nothing to do: what was final may have been taken back.
    const hasWork = isLookDue || (await stores.outbox.backlog()) > 0
    return hasWork ? await relayOnce(relay, on, watch) : 0
  }

  const noteFailure = (error: unknown): void => {
    if (error instanceof LeaseLost) return
    if (error instanceof ApiError && error.code === 'CHAIN_UNAVAILABLE') reachable = false
    lastError = error instanceof ApiError ? (error.detail ?? error.message) : messageOf(error)
    deployment = null
    lookAt = 0
    pausedUntil = clock() + Math.min(PAUSE_MAX_MS, retryPause(failures))
    if (failures === 0) log.warn({ error: lastError }, 'the relayer pauses')
    failures += 1
  }

  return {
    /** Compares the chain with what is remembered, before the first round. @throws What `ensure` throws. */
    async open(): Promise<void> {
      try {
        deployment = await ensure()
        await look()
      } catch (error) {
        noteFailure(error)
        throw error
      }
    },

    /** Does what there is to do now. @returns How much moved; 0 when it is time to wait. */
    async round(): Promise<number> {
      if (clock() < pausedUntil) return 0
      try {
        return await round()
      } catch (error) {
        noteFailure(error)
        return 0
      }
    },

    async status(): Promise<RelayerStatus> {
      const [backlog, spareGwei] = await Promise.all([stores.outbox.backlog(), spareBudget(relay)])
      const balanceLow = balance !== null && balance < lowBalance
      const stuck = lastError ?? (await stores.outbox.oldestError())
      return { reachable, backlog, lastError: stuck, balance, balanceLow, spareGwei, isRelayer }
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
