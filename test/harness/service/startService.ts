import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalChain } from '../../../server/chain/localChain.ts'
import { compose } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { createLogger } from '../../../server/external/telemetry/logger.ts'
import { createChainPool } from '../chain/createChainPool.ts'
import { deployForDatabase } from '../chain/deployForDatabase.ts'
import { takeChain } from '../chain/takeChain.ts'
import { readMigratedFiles, writeDatabaseFiles } from '../database/databaseFiles.ts'
import { createMigratedDatabase } from '../database/postgres.ts'
import { queryDatabase } from '../database/queryDatabase.ts'
import { type TestedDatabase, testedDatabase } from '../database/testedDatabase.ts'
import { findFreePort } from '../runner/findFreePort.ts'
import { watchOutbound } from './watchOutbound.ts'

export type StartedService = {
  baseUrl: string
  /** URL of the local chain, empty if there is none. */
  rpcUrl: string
  dataDir: string
  /** Runs one statement on a connection next to the service, with `?` as placeholders. */
  rows<Row>(sql: string, ...values: unknown[]): Promise<Row[]>
  /** @throws Error if an operation waited for a host although the table does not say so. */
  stop(): Promise<void>
}

type Options = {
  /** Settings as environment variables. */
  settings?: Record<string, string>
  clock?: () => number
  /** How long an agent’s answer to a challenge, and a signer’s keys, may take. */
  answerTimeoutMs?: number
  /** Folder of an earlier start, for restart tests; it is kept when the service stops. */
  dataDir?: string
  /** The kind of database, by default the one that this run tests. */
  database?: TestedDatabase
}

/** Takes a chain with the contracts deployed, and a database that has their addresses. */
const takeDeployedChain = createChainPool(deployForDatabase)

/**
 * Starts the whole service as a user would: real HTTP, a real database, a real local chain, on its own ports.
 *
 * The chain comes from this process's pool. With a new embedded database it has the contracts already, because deploying
 * them takes a third of a start; with `dataDir` or PostgreSQL it starts empty.
 */
export async function startService(options: Options = {}): Promise<StartedService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'svc-test-'))
  const port = await findFreePort()
  const database = await chooseDatabase(options)
  const config = readConfig({
    ...database.settings,
    PORT: String(port),
    DATA_DIR: dataDir,
    CHAIN_PORT: '0',
    AUDIT_BATCH_SECONDS: '1',
    LOG_LEVEL: 'silent',
    VERIFY_RATE_PER_MINUTE: '100000',
    API_RATE_PER_MINUTE: '100000',
    OUTREACH_RATE_PER_HOUR: '100000',
    ...options.settings,
  })
  const isEmbedded = config.databaseUrl === undefined
  const deployed =
    isEmbedded && config.chain.local && options.dataDir === undefined ? await takeDeployedChain() : undefined
  if (isEmbedded && !existsSync(config.databaseFile))
    writeDatabaseFiles(config, deployed?.prepared ?? (await readMigratedFiles()))
  const log = createLogger(config.log)
  let chain: LocalChain | undefined
  const ambient = {
    log,
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.answerTimeoutMs ? { answerTimeoutMs: options.answerTimeoutMs } : {}),
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
  const listUndeclared = watchOutbound(port)
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    rpcUrl: chain?.url ?? '',
    dataDir,
    rows: (sql, ...values) => queryDatabase(config, sql, values),
    async stop() {
      await service.stop()
      await database.drop()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
      const undeclared = listUndeclared()
      if (undeclared.length > 0) throw new Error(`not said to wait for hosts: ${undeclared.join(', ')}`)
    },
  }
}

/** Creates a database for a service that was given none, or returns the one of an earlier start in the same folder. */
async function chooseDatabase({ settings = {}, dataDir, database = testedDatabase }: Options) {
  if (database === 'sqlite' || settings.DATABASE_URL) return { settings: {}, drop: async () => undefined }
  const earlier = dataDir === undefined ? undefined : kept.get(dataDir)
  const { url, drop } = earlier ?? (await createMigratedDatabase())
  if (dataDir !== undefined) kept.set(dataDir, { url, drop })
  return {
    settings: { DATABASE_URL: url, SECRETS_KEY: 'dGVzdHMgb25seSwgMzIgYnl0ZXMgaW4gYmFzZTY0ISE=' },
    drop: dataDir === undefined ? drop : async () => undefined,
  }
}

/** Databases of folders that are started more than once; they are dropped with the cluster. */
const kept = new Map<string, Awaited<ReturnType<typeof createMigratedDatabase>>>()
