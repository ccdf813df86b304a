import { randomUUID } from 'node:crypto'
import { sha256Hex } from '@svc/core/hash.ts'
import type { Config } from '../config.ts'
import { openSecretBoxes, type SecretsConfig } from '../external/keys/openSecretBoxes.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import type { ReplayMemory } from '../external/webBotAuth/replayMemory.ts'
import {
  type BudgetRule,
  createNestedBudget,
  createRateBudget,
  type RateBudget,
} from '../middleware/rateBudget.ts'
import { CONTRACT_SETTINGS } from '../services/chain/contractSettings.ts'
import { createSharedKeyStore } from '../store/accounts/sharedKeyStore.ts'
import type { Change } from '../store/database/changes/changes.ts'
import type { Presence } from '../store/database/changes/presence.postgres.ts'
import type { ReadFrom } from '../store/database/connections/readFrom.ts'
import { readStandbyFault } from '../store/database/connections/readStandbyFault.ts'
import { openReplica, type ReplicaState } from '../store/database/connections/replica.postgres.ts'
import { openPostgresDatabase } from '../store/database/database.postgres.ts'
import { openSqliteDatabase } from '../store/database/database.sqlite.ts'
import type { Db } from '../store/database/database.ts'
import { chooseFeatures } from '../store/database/databaseFeatures.ts'
import { lockDataDir } from '../store/database/locks/lockDataDir.ts'
import { createProcessSettingsStore } from '../store/database/processSettingsStore.ts'
import { traceTransactions } from '../store/database/traceTransactions.ts'
import { createNonceStore } from '../store/recorder/nonceStore.ts'
import { createSharedRateWindows } from '../store/recorder/rateWindows.postgres.ts'
import { createPostgresRecorder } from '../store/recorder/recorder.postgres.ts'
import { createSqliteRecorder } from '../store/recorder/recorder.sqlite.ts'
import type { Recorder, TraceGroup } from '../store/recorder/recorder.ts'
import { createDeploymentStore, type DeploymentStore } from '../store/relayer/deploymentStore.ts'
import { createSecretsKeyStore } from '../store/secrets/secretsKeyStore.ts'
import { configuredContracts } from './chain/configuredContracts.ts'
import { prepareSecrets } from './keys/prepareSecrets.ts'
import { shareKeyFiles } from './keys/shareKeyFiles.ts'
import { compareProcessSettings } from './processes/compareProcessSettings.ts'

/** How long the cached behaviour of an agent may miss the counts of other processes. */
const BEHAVIOUR_MS = 10_000

type Listener = {
  onChange(change: Change): void
  onMissed(): void
  /** Called when counts in memory must be reread. */
  onAged(): void
}

/** Creates budgets shared by all processes of the database. */
export type BudgetsOf = {
  budgetOf(rule: BudgetRule): RateBudget
  /** Every rule has to admit a call, for the caller at its position. */
  nestedBudgetOf(rules: readonly BudgetRule[]): RateBudget<readonly string[]>
}

export type ComposedDatabase = BudgetsOf & {
  db: Db
  recorder: Recorder
  /** Shared memory of signature nonces; undefined if there is only this process. */
  replays: ReplayMemory | undefined
  /** Derives the tokens that owners publish for their domains. */
  hostTokenKey: Uint8Array
  /** How other processes see that this one runs; null if they cannot. */
  presence: Presence | null
  /**
   * Reads on a connection of readers; returns what the operator has to correct although commits work.
   *
   * @throws Error if nothing can be read, or use cases cannot write.
   */
  probe(): Promise<string | null>
  /** Reads for which a replica may be used; everything else reads with `db.query`. */
  read: ReadFrom
  /** Compares the replica with the primary; null if there is none. */
  lookAtReplica: (() => Promise<ReplicaState>) | null
  /** Reports changes by any process; nothing if there is only this one. */
  listen(listener: Listener): Promise<void>
  /** Commits pending work and closes. */
  close(): Promise<void>
}

type DatabaseConfig = SecretsConfig &
  Pick<
    Config,
    | 'databaseUrl'
    | 'readDatabaseUrl'
    | 'databaseFeatures'
    | 'databaseFile'
    | 'feedFile'
    | 'publicUrl'
    | 'audit'
    | 'chain'
  >

/**
 * Opens the configured database: SQLite in the data folder for a single process, or PostgreSQL for any number of processes,
 * with what they share.
 *
 * @throws Error with a message for the operator if it is taken, unreachable, or belongs to another service.
 */
export async function composeDatabase(
  config: DatabaseConfig,
  log: Pick<Logger, 'warn'>,
  traceGroup?: TraceGroup,
): Promise<ComposedDatabase> {
  const composed =
    config.databaseUrl === undefined
      ? await composeSqlite(config, log, traceGroup)
      : await composePostgres(config, config.databaseUrl, log, traceGroup)
  return traceGroup ? { ...composed, db: traceTransactions(composed.db, traceGroup.traceParent) } : composed
}

async function composeSqlite(
  config: DatabaseConfig,
  log: Pick<Logger, 'warn'>,
  traceGroup?: TraceGroup,
): Promise<ComposedDatabase> {
  const unlock = lockDataDir(config.dataDir)
  const db = await openSqliteDatabase(config, (sentence) => log.warn({}, sentence))
  let hostTokenKey: Uint8Array
  try {
    const [stores, boxes] = [createKeyStores(db), openSecretBoxes(config)]
    hostTokenKey = await prepareSecrets({ stores, boxes })
    await stores.used.setLatest(boxes.keys[0].id)
  } catch (error) {
    await db.close()
    unlock()
    throw error
  }
  const recorder = createSqliteRecorder(config.databaseFile, db.writeLock, { traceGroup })
  return {
    db,
    recorder,
    replays: undefined,
    presence: null,
    hostTokenKey,
    probe: () => db.query.raw('SELECT 1').then(() => null),
    read: (work) => work(db.query),
    lookAtReplica: null,
    budgetOf: (rule) => createRateBudget(rule),
    nestedBudgetOf: (rules) => createNestedBudget(rules),
    listen: async () => undefined,
    async close() {
      await recorder.close()
      await db.close()
      unlock()
    },
  }
}

async function composePostgres(
  config: DatabaseConfig,
  url: string,
  log: Pick<Logger, 'warn'>,
  traceGroup?: TraceGroup,
): Promise<ComposedDatabase> {
  const features = chooseFeatures(config.databaseFeatures)
  const db = await openPostgresDatabase(url, { warn: (sentence) => log.warn({}, sentence), features })
  const boxes = openSecretBoxes(config)
  const stores = createKeyStores(db)
  let hostTokenKey: Uint8Array
  try {
    hostTokenKey = await prepareSecrets({ stores, boxes })
    await shareKeyFiles({ keys: stores.shared, secrets: boxes.secrets }, config.dataDir)
    const fault = await readStandbyFault(db.query)
    if (fault !== null) log.warn({}, fault)
  } catch (error) {
    await db.close()
    throw error
  }
  const recorder = createPostgresRecorder(url, { traceGroup, features })
  const windows = createSharedRateWindows(url)
  const id = randomUUID()
  const presence = features.openPresence?.(url, id) ?? null
  const { readDatabaseUrl, publicUrl, audit } = config
  const compared = compareProcessSettings({
    ...{ store: createProcessSettingsStore(db.query), process: id, log },
    settings: async () => ({
      publicUrl,
      auditLogs: audit.logs,
      contracts: await readContracts(createDeploymentStore(db.query), config.chain),
    }),
    ...{ secretsKey: boxes.keys[0].id, usedKeys: stores.used },
  })
  const replica =
    readDatabaseUrl === undefined
      ? null
      : openReplica({
          url: readDatabaseUrl,
          primary: db.query,
          readRow: (reader) => reader('feed.party_events').first('seq'),
          warn: (sentence) => log.warn({}, sentence),
        })
  let stopListening = async (): Promise<void> => undefined
  return {
    db,
    recorder,
    replays: createSharedReplays(db),
    presence,
    hostTokenKey,
    async probe() {
      await db.requireWritable()
      return (await readStandbyFault(db.query)) ?? compared.fault()
    },
    read: replica?.read ?? ((work) => work(db.query)),
    lookAtReplica: replica?.look ?? null,
    budgetOf: (rule) => createRateBudget(rule, windows.take),
    nestedBudgetOf: (rules) => createNestedBudget(rules, windows.take),
    async listen(listener) {
      const { stop } = await features.listen(url, { ...listener, log })
      const ageing = setInterval(listener.onAged, BEHAVIOUR_MS)
      stopListening = () => {
        clearInterval(ageing)
        return stop()
      }
    },
    async close() {
      await stopListening()
      await compared.stop()
      await recorder.close()
      await windows.close()
      await replica?.close()
      await presence?.close()
      await db.close()
    },
  }
}

/** The contracts that a process works with: those it is configured with, and for the others those of the database. */
async function readContracts(
  deployments: DeploymentStore,
  settings: Config['chain'],
): Promise<Record<string, string>> {
  const configured = configuredContracts(settings)
  const remembered = await deployments.remembered()
  return Object.fromEntries(
    CONTRACT_SETTINGS.flatMap(([name, key]) => {
      const address = configured[key] ?? remembered?.[key]
      return address ? [[name, address]] : []
    }),
  )
}

function createKeyStores({ query }: Db) {
  return { shared: createSharedKeyStore(query), used: createSecretsKeyStore(query) }
}

/** A single insert decides which of two processes saw a nonce first. */
function createSharedReplays({ query }: Db): ReplayMemory {
  const nonces = createNonceStore()
  return {
    use: (nonce, expiresAt, now) =>
      nonces.take(query, { address: 'web-bot-auth', nonce: sha256Hex(nonce), expiresAt }, now),
  }
}
