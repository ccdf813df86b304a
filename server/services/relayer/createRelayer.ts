import { ApiError } from '../../errors.ts'
import type { Deployment } from '../../store/relayer/deploymentStore.ts'
import { readSpareBudget } from './budget.ts'
import { describeFailure } from './describeFailure.ts'
import { backOffMs } from './failures.ts'
import { LeaseLost, type RelayerLease } from './lease.ts'
import type { ForkWatch } from './preparePoll.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import { relayOnce } from './relayOnce.ts'

/** The relayer's state, for health and metrics. */
export type RelayerStatus = {
  /** Whether the chain responded to the last request. */
  reachable: boolean
  /** Intents that are not settled. */
  backlog: number
  /** The last error; null once a round has succeeded again. */
  lastError: string | null
  balanceLow: boolean
  /** Last known balance in wei; null before the first reading. */
  balance: bigint | null
  /** What is left of the last 24 hours' budget; null without a budget. */
  spareGwei: number | null
}

type CreateRelayerDeps = {
  relay: RelayerDeps
  lease: Pick<RelayerLease, 'acquire' | 'release'>
  /** Checks that the chain is the one in the database; called again after each outage. */
  ensure: () => Promise<Deployment>
  /** In wei; a smaller balance counts as low. */
  lowBalance: bigint
  /** Surrounds a round that may send something; by default, nothing does. */
  traceRound?: ((round: () => Promise<number>) => Promise<number>) | undefined
}

/** How often an idle relayer checks the chain, so that health is up to date. */
const CHECK_MS = 10_000
const PAUSE_MAX_MS = 15_000

/**
 * Creates the relayer of this process, whose rounds never throw and whose status reports what they found.
 *
 * An unreachable chain is not a failure: the rows stay and the pauses grow. Once the chain is back, it is compared with the
 * database before anything is sent.
 */
export function createRelayer({ relay, lease, ensure, lowBalance, traceRound }: CreateRelayerDeps) {
  const { chain, stores, clock, log } = relay
  let deployment: Deployment | null = null
  let isRelayer = false
  let reachable = false
  let lastError: string | null = null
  let balance: bigint | null = null
  let failures = 0
  let pausedUntil = 0
  let nextCheckAt = 0
  const watch: ForkWatch = { last: null }

  const checkChain = async (): Promise<void> => {
    balance = await chain.readBalance(chain.relayerAddress)
    reachable = true
    nextCheckAt = clock() + CHECK_MS
  }

  const acquireLease = async (): Promise<void> => {
    try {
      isRelayer = await lease.acquire()
    } catch (error) {
      // Another process may hold it by now.
      isRelayer = false
      throw error
    }
  }

  /** A process that the chain or the settings keep from being the relayer leaves it to another one. */
  const ensureOrRelease = async (): Promise<Deployment> => {
    try {
      return await ensure()
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof LeaseLost)) {
        isRelayer = false
        await lease.release().catch(() => undefined)
      }
      throw error
    }
  }

  const runRound = async (): Promise<number> => {
    await acquireLease()
    // Another process may meanwhile give the database other contracts.
    if (!isRelayer) deployment = null
    // Before the check, because this restarts a local chain that has crashed.
    if (isRelayer) deployment ??= await ensureOrRelease()
    const isCheckDue = clock() >= nextCheckAt
    if (isCheckDue) await checkChain()
    const moved = isRelayer && deployment !== null ? await relayIfNeeded(deployment, isCheckDue) : 0
    // Also if another process is the relayer: the check that follows every failure has succeeded.
    failures = 0
    lastError = null
    return moved
  }

  const relayIfNeeded = async (on: Deployment, isCheckDue: boolean): Promise<number> => {
    // Also with nothing to do, because a reorganisation may have undone final transactions.
    const hasWork = isCheckDue || (await stores.outbox.backlog()) > 0
    if (!hasWork) return 0
    const round = () => relayOnce(relay, on, watch)
    return await (traceRound?.(round) ?? round())
  }

  const recordFailure = (error: unknown): void => {
    if (error instanceof LeaseLost) {
      deployment = null
      return
    }
    if (error instanceof ApiError && error.code === 'CHAIN_UNAVAILABLE') reachable = false
    lastError = describeFailure(error)
    deployment = null
    nextCheckAt = 0
    pausedUntil = clock() + Math.min(PAUSE_MAX_MS, backOffMs(failures))
    if (failures === 0) log.warn({ err: error }, 'the relayer backs off')
    failures += 1
  }

  return {
    /** Whether this process, and not another one, was the relayer in its last round. */
    isRelayer: () => isRelayer,

    /** Compares the chain with the database, before the first round. @throws What `ensure` throws. */
    async open(): Promise<void> {
      try {
        deployment = await ensure()
        await checkChain()
      } catch (error) {
        recordFailure(error)
        throw error
      }
    },

    /** Runs one round. @returns How many intents moved; 0 when it is time to wait. */
    async round(): Promise<number> {
      if (clock() < pausedUntil) return 0
      try {
        return await runRound()
      } catch (error) {
        recordFailure(error)
        return 0
      }
    },

    async status(): Promise<RelayerStatus> {
      const [backlog, spareGwei] = await Promise.all([stores.outbox.backlog(), readSpareBudget(relay)])
      const balanceLow = balance !== null && balance < lowBalance
      const reported = lastError ?? (await stores.outbox.oldestError())
      return { reachable, backlog, lastError: reported, balance, balanceLow, spareGwei }
    },
  }
}
