import { parseEther } from 'viem'
import { createChainClient, relayerAccountOf } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import { deployContracts } from '../../chain/deployContracts.ts'
import { type LocalChain, startLocalChain } from '../../chain/localChain.ts'
import type { Config } from '../../config.ts'
import { ApiError } from '../../errors.ts'
import type { RandomBytes } from '../../external/randomPool.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import type { Tracing } from '../../external/telemetry/tracing.ts'
import { drawLogId } from '../../services/chain/drawLogId.ts'
import { ensureChain } from '../../services/chain/ensureChain.ts'
import { readChainOverview } from '../../services/chain/readChainOverview.ts'
import { readOwnerNonce } from '../../services/chain/readOwnerNonce.ts'
import { openOtherLogs, replayChain } from '../../services/chain/replayChain.ts'
import { requireKeptContracts } from '../../services/chain/requireKeptContracts.ts'
import { generateHex } from '../../services/generateHex.ts'
import { createHandlers } from '../../services/relayer/createHandlers.ts'
import { createRelayer } from '../../services/relayer/createRelayer.ts'
import { handOverRelayer } from '../../services/relayer/handOverRelayer.ts'
import { createRelayerLease, LeaseLost } from '../../services/relayer/lease.ts'
import { replaceLogId } from '../../services/relayer/replaceLogId.ts'
import { createAgentStore } from '../../store/agents/agentStore.ts'
import { createTokenStore } from '../../store/agents/tokenStore.ts'
import { createAnchorStore } from '../../store/audit/anchorStore.ts'
import { createLogStore } from '../../store/audit/logStore.ts'
import { HOLDER_IS_GONE, type Presence } from '../../store/database/changes/presence.postgres.ts'
import type { Db } from '../../store/database/database.ts'
import { isPostgres } from '../../store/database/knexSettings.ts'
import { createLeaseStore } from '../../store/database/locks/leaseStore.ts'
import { createInterventionStore } from '../../store/operator/interventionStore.ts'
import { createDeploymentStore } from '../../store/relayer/deploymentStore.ts'
import { createIntentOriginStore } from '../../store/relayer/intentOriginStore.ts'
import { createOutboxStore } from '../../store/relayer/outboxStore.ts'
import { createTransactionStore } from '../../store/relayer/transactionStore.ts'
import { createRelayerWorker } from '../../workers/relayerWorker.ts'
import { createDeploymentJournal } from '../createDeploymentJournal.ts'
import { configuredContracts } from './configuredContracts.ts'
import { createChainTokens } from './createChainTokens.ts'
import { relayerPolicyOf } from './relayerPolicyOf.ts'

export type ComposeChainDeps = {
  db: Db
  config: Config
  clock: () => number
  log: Logger
  randomBytes: RandomBytes
  /** Starts the chain of embedded mode; by default, a separate process. */
  startLocalChain?: typeof startLocalChain
  /** Whether no other server can run on the same database; by default, true on a local chain. */
  isOnlyServer?: boolean
  /** How other servers see that this one runs; null if the database cannot show it. */
  presence?: Presence | null
  /** Writes the registration file of an agent with a final identity; may be called more than once. */
  onIdentityConfirmed: (svcId: string) => Promise<void>
  /** Called after a restarted development chain was refilled: agents have changed. */
  onReplayed?: () => void
  /** Rereads an agent's token and orders what follows; may be called more than once. */
  onTokenChanged: (svcId: string) => Promise<void>
  /** Surrounds a round of the relayer with its trace. */
  traceRound?: Tracing['traceRound'] | undefined
}

export type ChainPart = ReturnType<typeof composeChain>

/** Pause of an idle relayer; a new block is seen at most this much later. */
const PAUSE_MS = 4_000
/** How often the other processes look whether the relayer still runs, which asks the database only. */
const STANDBY_MS = 1_000
/** Failures that the relayer outlasts. */
const TEMPORARY = new Set<string>(['CHAIN_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])
/** More than enough on a development chain, where funds are free. */
const LOCAL_BALANCE = parseEther('10000')

/**
 * Composes the chain: the local one in embedded mode, the client, the contracts and the relayer.
 *
 * Nothing runs and nothing is read from the chain before `start`.
 */
export function composeChain(deps: ComposeChainDeps) {
  const { db, config, clock, log } = deps
  const settings = config.chain
  const stores = createStores(db)
  const { deployments, anchorsOf, logs, agents, tokens, outbox, transactions } = stores
  let localChain: LocalChain | null = null

  const chain = createChainClient({
    url: () => settings.rpcUrl ?? localChain?.url ?? 'http://127.0.0.1:0',
    account: relayerAccountOf(settings.relayerPrivateKey),
    formerAccounts:
      settings.formerRelayerPrivateKey === undefined
        ? []
        : [relayerAccountOf(settings.formerRelayerPrivateKey)],
    random: () => (deps.randomBytes(1)[0] ?? 0) / 256,
  })
  // With only one server, its successor after a crash need not wait for the lease to expire.
  const isOnlyServer = deps.isOnlyServer ?? settings.local
  const { presence } = deps
  // Only processes over PostgreSQL have others beside them, whose clocks may differ.
  const isShared = isPostgres(db.query)
  const lease = createRelayerLease({
    db,
    leases: createLeaseStore(db.query, {
      clock: isShared ? undefined : clock,
      holderIsGone: presence ? HOLDER_IS_GONE : undefined,
    }),
    clock: isShared ? () => performance.now() : clock,
    holder: presence?.holder ?? (isOnlyServer ? 'embedded' : generateHex(deps.randomBytes, 16)),
    showPresence: presence?.show,
  })
  const dailyBudget = settings.dailyBudgetEth === undefined ? null : parseEther(settings.dailyBudgetEth)
  const policy = relayerPolicyOf(settings, dailyBudget)

  const drawn = (): Hex => drawLogId(chain.relayerAddress, deps.randomBytes)
  const logId = (): Promise<Hex> => deployments.logId(drawn(), clock())
  const renameLog = async (): Promise<Hex> => {
    const id = drawn()
    await lease.whileLeaseHeld((trx) => deployments.renameLog(trx, id))
    return id
  }

  const startLocal = async (): Promise<void> => {
    if (!settings.local || localChain?.isRunning()) return
    localChain = await (deps.startLocalChain ?? startLocalChain)(settings.port)
    if ((await chain.readBalance(chain.relayerAddress)) < LOCAL_BALANCE / 2n) {
      await chain.fundOnLocalChain(LOCAL_BALANCE)
    }
  }

  const journal = createDeploymentJournal({ query: db.query, lease, log })
  const configured = configuredContracts(settings)
  let isStarting = false
  let wasAlone = false
  /** The lease is taken while another process runs; whoever starts later has to accept what this one wants. */
  const isAlone = async (): Promise<boolean> => {
    if (isStarting && !wasAlone) wasAlone = await lease.acquire()
    return wasAlone
  }

  const ensure = async () => {
    await requireKeptContracts({ deployments, outbox, anchorsOf, logs, isAlone }, configured)
    await startLocal()
    const id = await logId()
    const { confirmations, maxFeePerGas } = policy
    let hasReplayed = false
    const deployment = await ensureChain(
      {
        ...{ chain, deployments, anchorsOf, logs, log },
        whileLeaseHeld: lease.whileLeaseHeld,
        deploy: async (existing) => {
          if (!(await lease.acquire())) throw new LeaseLost()
          const paid = { confirmations, maxFeePerGas, journal }
          return await deployContracts(chain, { logId: id, renameLog, existing, ...paid })
        },
        openOthers: (trx, now) => openOtherLogs({ logs, outbox }, trx, now),
        replay(trx, input) {
          hasReplayed = true
          return replayChain(
            { outbox, transactions, agents, anchors: anchorsOf(0), logs, tokens },
            trx,
            input,
          )
        },
      },
      {
        logId: id,
        isLocal: settings.local,
        configured,
        now: clock(),
      },
    )
    if (hasReplayed) deps.onReplayed?.()
    return deployment
  }

  const { onIdentityConfirmed, onTokenChanged, traceRound } = deps
  const { takeSettled } = createIntentOriginStore(db.query)
  const replacing = { logs, outbox, whileLeaseHeld: lease.whileLeaseHeld, drawLogId: drawn, clock }
  const relayer = createRelayer({
    relay: {
      stores: { outbox, transactions },
      whileLeaseHeld: lease.whileLeaseHeld,
      chain,
      handlers: createHandlers({
        ...{ chain, outbox, agents, anchorsOf, logs },
        interventions: createInterventionStore(db.query),
        replaceLogId: (former) => replaceLogId(replacing, former),
        onIdentityConfirmed,
        onTokenChanged,
      }),
      policy,
      clock,
      log,
    },
    lease,
    ensure,
    traceRound: traceRound && ((round) => traceRound(round, takeSettled)),
    lowBalance: settings.local || dailyBudget === null ? 0n : dailyBudget / 4n,
  })
  const worker = createRelayerWorker({
    round: relayer.round,
    pauseMs: () => (settings.local ? 250 : relayer.isRelayer() ? PAUSE_MS : STANDBY_MS),
    onError: (error) => log.error({ err: error }, 'a round of the relayer failed'),
  })

  return {
    client: chain,
    outbox,
    /** Id of this installation's first audit log; known without a chain. */
    logId,
    /** Draws the id of another log, which the relayer may open. */
    drawLogId: drawn,
    /** URL of the node; null before the local chain runs. */
    url: () => settings.rpcUrl ?? localChain?.url ?? null,
    /** `GET /api/chain`. */
    overview: () =>
      readChainOverview({
        deployments,
        logs,
        confirmations: policy.confirmations,
        publicRpcUrl: settings.publicRpcUrl,
      }),
    /** The nonce for an owner's next `registerFor` signature. */
    ownerNonce: (owner: Hex) => readOwnerNonce({ chain, deployments, outbox, transactions }, { owner }),
    /** Whether a contract wallet accepts a signature over a hash, by ERC-1271. */
    verifyContractSignature: chain.acceptsSignature,
    relayerStatus: relayer.status,
    /** Whether this process was the relayer in its last round, which asks nobody. */
    wasRelayer: relayer.isRelayer,
    /** Final state of tokens of agents. */
    tokens: createChainTokens({ chain, deployments, confirmations: policy.confirmations }),
    /** Orders what the relayer's present account has to take over from the former one, and returns what is left. */
    handOver: () =>
      handOverRelayer({ db, chain, deployments, logs, outbox, tokens, agents, policy }, clock()),
    /** Whether this process is currently the relayer. */
    isRelayer: lease.acquire,
    /** Wakes the relayer to process what was queued. */
    wake: worker.wake,

    /**
     * Only deploys missing contracts, for the deployment script.
     *
     * @throws Error if a server is running on the same database, and the errors of `start`.
     */
    async deploy(): Promise<void> {
      if (!(await lease.acquire()))
        throw new Error('A server with a relayer runs over this database: stop it first')
      try {
        wasAlone = true
        await ensure()
      } finally {
        await lease.release()
      }
    },

    /**
     * Starts the chain and the relayer. An unreachable configured chain, one to which another process is deploying, or a
     * database that is too busy for it, does not prevent the service from starting: the relayer keeps trying.
     *
     * @throws Error with a message if the port is taken, or the chain is not the remembered one.
     */
    async start(): Promise<void> {
      isStarting = true
      try {
        await relayer.open()
      } catch (error) {
        const isAway = error instanceof ApiError && !settings.local && TEMPORARY.has(error.code)
        if (!isAway && !(error instanceof LeaseLost)) {
          await localChain?.stop()
          throw error
        }
        log.warn({ error: error.message }, 'starting before the chain is ready')
      } finally {
        isStarting = false
      }
      worker.start()
    },

    /** Ends the current round, releases the lease, and closes the local chain. */
    async stop(): Promise<void> {
      await worker.stop()
      await lease.release()
      await localChain?.stop()
    },
  }
}

function createStores({ query }: Db) {
  return {
    deployments: createDeploymentStore(query),
    anchorsOf: (log: number) => createAnchorStore(query, log),
    logs: createLogStore(query),
    agents: createAgentStore(query),
    tokens: createTokenStore(query),
    outbox: createOutboxStore(query),
    transactions: createTransactionStore(query),
  }
}
