import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseLog } from '@svc/core/audit/chooseLog.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { takeChain } from '../harness/chain/takeChain.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../harness/database/postgres.ts'
import { queryDatabase } from '../harness/database/queryDatabase.ts'
import { testedDatabase } from '../harness/database/testedDatabase.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { runScript } from '../harness/service/runScript.ts'
import { spawnService } from '../harness/service/spawnService.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

const CONNECTIONS = 16
const BEFORE_BACKUP = 300
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')

export type Settings = Record<string, string>

export type BackupScene = Awaited<ReturnType<typeof openBackupScene>>

/**
 * Opens a service on a persistent chain and backs it up twice: while sixteen clients keep it writing, and after it
 * stopped. The chain has batches that the first backup lacks.
 */
export async function openBackupScene() {
  const folder = createTemporaryFolder()
  const databases: PostgresDatabase[] = []
  let restored: StartedService | undefined
  const chain = await takeChain()
  const during = join(folder.path, 'during')
  const afterwards = join(folder.path, 'afterwards')

  /** Settings of a data folder, and of a database where one is tested, that are still empty. */
  async function createDataSettings(name: string): Promise<Settings> {
    const dataDir = join(folder.path, name)
    const own = { DATA_DIR: dataDir, REGISTRATION_FILES_DIR: join(dataDir, 'registration-files') }
    if (testedDatabase === 'sqlite') return own
    const database = await createPostgresDatabase()
    databases.push(database)
    return { ...own, DATABASE_URL: database.url, SECRETS_KEY }
  }

  const rowsOf = <Row>(of: Settings, sql: string, ...values: unknown[]) =>
    queryDatabase<Row>(
      { databaseUrl: of.DATABASE_URL, databaseFile: join(String(of.DATA_DIR), 'svc.sqlite') },
      sql,
      values,
    )

  async function endRestored(): Promise<void> {
    await restored?.stop()
    restored = undefined
  }

  /**
   * Starts a service over restored data in place of the previous one, which used the same chain key. It runs in this
   * process, which is faster than a separate one.
   */
  async function serve({ PORT: _portOfTheFirst, ...of }: Settings): Promise<StartedService> {
    const settings = { ...of, LOG_LEVEL: 'silent' }
    await endRestored()
    restored = await startService({ dataDir: String(of.DATA_DIR), settings })
    return restored
  }

  const settings: Settings = {
    ...(await createDataSettings('first')),
    PORT: String(await findFreePort()),
    PUBLIC_URL: 'http://registry.test',
    RPC_URL: chain.url,
    RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
    CONFIRMATIONS: '1',
    ALLOW_PRIVATE_NETWORK: 'true',
    AUDIT_BATCH_SECONDS: '1',
    AUDIT_LOGS: '2',
    VERIFY_RATE_PER_MINUTE: '1000000',
    API_RATE_PER_MINUTE: '100000',
    LOG_LEVEL: 'warn',
  }
  const service = await spawnService(settings)
  let shop = await createOrganisation(service.baseUrl)
  // In the second log, which everything below then concerns.
  while (chooseLog(shop.organizationId, 2) === 0) shop = await createOrganisation(service.baseUrl)
  const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
  const { svcId } = await registerAgent(service.baseUrl)
  const ask = (baseUrl: string, agentId = svcId) =>
    api(baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { agentId, counterpartyId },
    })
  /** Waits until the identity is final on chain. */
  const becomesFinal = (baseUrl: string, agentId = svcId) =>
    waitUntil(async () =>
      (await ask(baseUrl, agentId)).body.agent.blockchainStatus === 'verified' ? true : null,
    )
  await becomesFinal(service.baseUrl)

  const answered: string[] = []
  let isOver = false
  const client = async () => {
    while (!isOver) answered.push((await ask(service.baseUrl)).body.auditRecordId)
  }
  const load = Promise.all(Array.from({ length: CONNECTIONS }, client))
  await waitUntil(async () => (answered.length >= BEFORE_BACKUP ? true : null))
  const answeredBefore = [...answered]
  const backUp = async (to: string) => {
    const { code, stderr } = await runScript('backup.ts', ['--to', to], settings)
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8'))
  }
  const { log } = await backUp(during)
  isOver = true
  await load
  answered.push((await ask(service.baseUrl)).body.auditRecordId)
  await waitUntil(async () => {
    const sql = "SELECT COUNT(*) AS n FROM audit_batches WHERE status = 'confirmed'"
    const [found] = await rowsOf<{ n: number }>(settings, sql)
    return Number(found?.n) > log.batches ? true : null
  })
  await service.end('SIGTERM')
  await backUp(afterwards)

  return {
    folder: folder.path,
    chain,
    settings,
    shop,
    svcId,
    /** Records whose decisions were returned, and those returned before the first backup began. */
    answered,
    answeredBefore,
    /** Folders of the two backups. */
    during,
    afterwards,
    createDataSettings,
    rowsOf,
    serve,
    ask,
    becomesFinal,
    /** Runs `npm run restore`. */
    restore: (from: string, to: Settings, ...words: string[]) =>
      runScript('restore.ts', ['--from', from, '--to', String(to.DATA_DIR), ...words], to),
    /** Waits until a record is anchored and returns its proof. */
    proofOf: (baseUrl: string, recordId: string | undefined) =>
      waitUntil(async () => {
        const path = `/api/audit/records/${recordId}/proof`
        const { status, body } = await api(baseUrl, 'GET', path, { bearer: shop.apiKey })
        return status === 200 ? body : null
      }),
    async close() {
      await endRestored()
      await chain.stop()
      for (const database of databases) await database.drop()
      folder.remove()
    },
  }
}
