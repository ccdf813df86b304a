import { join } from 'node:path'
import { LOCAL_CHAIN_KEY } from '../../../server/chain/localNetwork.ts'
import { takeChain } from '../chain/takeChain.ts'
import { createMigratedDatabase, type PostgresDatabase } from '../database/postgres.ts'
import { queryPostgres } from '../database/queryPostgres.ts'
import { createTemporaryFolder } from '../runner/createTemporaryFolder.ts'
import { findFreePort } from '../runner/findFreePort.ts'
import { type SpawnedService, type SpawnOptions, spawnService } from './spawnService.ts'

export type Processes = Awaited<ReturnType<typeof startProcesses>>

type Start = {
  /** By default one with this version's tables, and without rows. */
  database?: PostgresDatabase
  /** How each of them is started. */
  options?: SpawnOptions
}

/** Starts server processes concurrently over one PostgreSQL and one empty development chain. */
export async function startProcesses(
  count: number,
  more: Record<string, string> = {},
  { database: given, options: first }: Start = {},
) {
  const database = given ?? (await createMigratedDatabase())
  const chain = await takeChain()
  const folder = createTemporaryFolder()
  const ports: number[] = []
  while (ports.length < count) ports.push(await findFreePort())
  const urlOf = (port: number) => `http://127.0.0.1:${port}`
  const baseUrls = ports.map(urlOf)
  const filesDirOf = (nth: number) => join(folder.path, `files-${nth}`)
  const settingsOf = (nth: number) => ({
    PORT: String(ports[nth]),
    DATABASE_URL: database.url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    RPC_URL: chain.url,
    RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
    CONFIRMATIONS: '1',
    PUBLIC_URL: `http://localhost:${ports[0]}`,
    DATA_DIR: join(folder.path, `process-${nth}`),
    REGISTRATION_FILES_DIR: filesDirOf(nth),
    AUDIT_BATCH_SECONDS: '1',
    VERIFY_RATE_PER_MINUTE: '1000000',
    API_RATE_PER_MINUTE: '100000',
    REGISTRATION_RATE_PER_HOUR: '100000',
    LOG_LEVEL: 'warn',
    ...more,
  })
  const start = (nth: number, options?: SpawnOptions): Promise<SpawnedService> =>
    spawnService(settingsOf(nth), options)
  const services = await Promise.all(ports.map((_, nth) => start(nth, first)))
  return {
    services,
    baseUrls,
    chainUrl: chain.url,
    databaseUrl: database.url,
    /** The folder of registration files of one of them. */
    filesDirOf,
    rows: <Row>(sql: string, ...values: unknown[]) => queryPostgres<Row>(database.url, sql, values),
    /** Starts one of them again after it has stopped. */
    async restart(nth: number, options?: SpawnOptions): Promise<void> {
      services[nth] = await start(nth, options)
    },
    /** Starts one more beside them. */
    async add(options?: SpawnOptions): Promise<void> {
      const port = await findFreePort()
      ports.push(port)
      baseUrls.push(urlOf(port))
      services.push(await start(ports.length - 1, options))
    },
    async stop() {
      await Promise.all(services.map((service) => service.end('SIGKILL')))
      await chain.stop()
      await database.drop()
      folder.remove()
    },
  }
}
