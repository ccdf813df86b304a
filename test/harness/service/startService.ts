import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalChain } from '../../../server/chain/localChain.ts'
import { compose } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { createLogger } from '../../../server/external/logger.ts'
import { createChainPool } from '../chain/createChainPool.ts'
import { deployForDatabase } from '../chain/deployForDatabase.ts'
import { takeChain } from '../chain/takeChain.ts'
import { readMigratedFiles, writeDatabaseFiles } from '../database/databaseFiles.ts'
import { createMigratedDatabase } from '../database/postgres.ts'
import { queryDatabase } from '../database/queryDatabase.ts'
import { type TestedDatabase, testedDatabase } from '../database/testedDatabase.ts'
import { findFreePort } from '../runner/findFreePort.ts'

export type StartedService = {
  baseUrl: string
  /** Where the local chain answers, if there is one. */
  rpcUrl: string
  dataDir: string
  /** Runs one statement, with `?` for values, on a connection beside the service. */
  rows<Row>(sql: string, ...values: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

type Options = {
  /** Settings as the environment would give them. */
  settings?: Record<string, string>
  clock?: () => number
  /** Folder of an earlier start, for tests of restarts; it is then left in place. */
  dataDir?: string
  /** The kind of database; what this run of the tests is for unless given. */
  database?: TestedDatabase
}

/** Chains that have the contracts, each with a database that remembers them. */
const deployedChain = createChainPool(deployForDatabase)

/**
 * The whole service as a user starts it: real HTTP, a real database, a real local chain, on ports of its own.
 *
 * The chain is one that an earlier service of this process gave back. With an embedded database of its own folder it has
 * the contracts already, because deploying them is a third of a start; `dataDir` and a PostgreSQL begin with an empty one.
 */
export async function startService(options: Options = {}): Promise<StartedService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'svc-test-'))
  const port = await findFreePort()
  const database = await databaseOf(options)
  const config = readConfig({
    ...database.settings,
    PORT: String(port),
    DATA_DIR: dataDir,
    REGISTRATION_FILES_DIR: join(dataDir, 'registration-files'),
    AUDIT_BATCH_SECONDS: '1',
    LOG_LEVEL: 'silent',
    VERIFY_RATE_PER_MINUTE: '100000',
    API_RATE_PER_MINUTE: '100000',
    OUTREACH_RATE_PER_HOUR: '100000',
    ...options.settings,
  })
  const isEmbedded = config.databaseUrl === undefined
  const deployed =
    isEmbedded && config.chain.local && options.dataDir === undefined ? await deployedChain() : undefined
  if (isEmbedded && !existsSync(config.databaseFile))
    writeDatabaseFiles(config, deployed?.prepared ?? (await readMigratedFiles()))
  const log = createLogger(config.logLevel)
  let chain: LocalChain | undefined
  const ambient = {
    log,
    ...(options.clock ? { clock: options.clock } : {}),
    async startLocalChain() {
      chain = chain === undefined && deployed ? deployed.chain : await takeChain()
      return chain
    },
  }
  const service = await compose(config, ambient).catch(async (error: unknown) => {
    await deployed?.chain.stop()
    await database.drop()
    throw error
  })
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    rpcUrl: chain?.url ?? '',
    dataDir,
    rows: (sql, ...values) => queryDatabase(config, sql, values),
    async stop() {
      await service.stop()
      await database.drop()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A database of its own for a service that none was given; of an earlier start, the one that it had. */
async function databaseOf({ settings = {}, dataDir, database = testedDatabase }: Options) {
  if (database === 'sqlite' || settings.DATABASE_URL) return { settings: {}, drop: async () => undefined }
  const earlier = dataDir === undefined ? undefined : kept.get(dataDir)
  const { url, drop } = earlier ?? (await createMigratedDatabase())
  if (dataDir !== undefined) kept.set(dataDir, { url, drop })
  return {
    settings: { DATABASE_URL: url, SECRETS_KEY: 'dGVzdHMgb25seSwgMzIgYnl0ZXMgaW4gYmFzZTY0ISE=' },
    drop: dataDir === undefined ? drop : async () => undefined,
  }
}

/** Databases of folders that are started in more than once; they end with the cluster. */
const kept = new Map<string, Awaited<ReturnType<typeof createMigratedDatabase>>>()
