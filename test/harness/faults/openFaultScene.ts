import { join } from 'node:path'
import Database from 'better-sqlite3'
import { LOCAL_CHAIN_KEY } from '../../../server/chain/localNetwork.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../../builders/participants.ts'
import { openNodeProxy } from '../chain/openNodeProxy.ts'
import { takeChain } from '../chain/takeChain.ts'
import { createTemporaryFolder } from '../runner/createTemporaryFolder.ts'
import { findFreePort } from '../runner/findFreePort.ts'
import { type ApiAnswer, api } from '../service/api.ts'
import { type SpawnedService, spawnService } from '../service/spawnService.ts'

export type FaultScene = Awaited<ReturnType<typeof openFaultScene>>

/** A recorded decision as stored in the database. */
type Stored = { seq: number; recordId: string; sessionId: string | null; entry: string }

/** What the clients of a load received. */
export type FaultLoad = {
  statuses: Map<number, number>
  /** Record identifiers of the responses with status 200, in order of arrival. */
  answered: string[]
  grants: number
  /** Calls that got no response. */
  broken: number
  /** Stops the clients; resolves when all have stopped. */
  stop(): Promise<void>
}

/**
 * Opens a scene for fault tests: a service on SQLite in its own process, a chain that outlives it, and one agent at one
 * endpoint. A test breaks something while clients send requests.
 */
export async function openFaultScene(
  options: { settings?: Record<string, string>; limits?: object; dataDir?: string } = {},
) {
  const folder = createTemporaryFolder()
  const dataDir = options.dataDir ?? folder.path
  const chain = await takeChain()
  const proxy = await openNodeProxy(chain.url)
  const settings = {
    DATA_DIR: dataDir,
    REGISTRATION_FILES_DIR: join(folder.path, 'registration-files'),
    PORT: String(await findFreePort()),
    RPC_URL: proxy.url,
    RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
    CONFIRMATIONS: '1',
    VERIFY_RATE_PER_MINUTE: '100000000',
    API_RATE_PER_MINUTE: '1000000',
    AUDIT_BATCH_SECONDS: '1',
    LOG_LEVEL: 'error',
    ...options.settings,
  }
  let service: SpawnedService = await spawnService(settings)
  const { baseUrl } = service
  const shop = await createOrganisation(baseUrl)
  const svceId = await registerEndpoint(baseUrl, shop.apiKey)
  const limits = { approvalThreshold: 100, currency: 'USD', ...options.limits }
  const { svcId } = await registerAgent(baseUrl, { pdlss: { limits } })
  const body = { agentId: svcId, counterpartyId: svceId, transactionValue: 1, currency: 'USD' }

  const verify = (more: object = {}): Promise<ApiAnswer<{ auditRecordId: string; recommendation: string }>> =>
    api(baseUrl, 'POST', '/api/agents/verify-access', { bearer: shop.apiKey, body: { ...body, ...more } })

  /** Iterates over the stored records, for logs that do not fit into memory. @throws Error as `stored` does. */
  function iterateStored<Result>(read: (records: Iterable<Stored>) => Result): Result {
    const database = new Database(join(dataDir, 'svc.sqlite'), { readonly: true })
    try {
      const state = database.pragma('integrity_check', { simple: true })
      if (state !== 'ok') throw new Error(String(state))
      const all =
        'SELECT seq, record_id AS recordId, session_id AS sessionId, entry FROM audit_records ORDER BY seq'
      return read(database.prepare<[], Stored>(all).iterate())
    } finally {
      database.close()
    }
  }

  return {
    baseUrl,
    shop,
    svcId,
    svceId,
    body,
    verify,
    /** Sets how the chain responds from now on. */
    intercept: proxy.intercept,
    pid: () => service.process.pid ?? 0,
    service: () => service,
    /** Starts the service again after it has stopped. */
    async restart(): Promise<void> {
      service = await spawnService(settings)
    },
    /**
     * Starts clients that send requests without a pause until stopped; calls without a response are counted and repeated.
     */
    load(connections: number, { untilGone = false } = {}): FaultLoad {
      let running = true
      const load = { statuses: new Map<number, number>(), answered: [] as string[], grants: 0, broken: 0 }
      const client = async () => {
        while (running) {
          try {
            const answer = await verify()
            load.statuses.set(answer.status, (load.statuses.get(answer.status) ?? 0) + 1)
            if (answer.status !== 200) continue
            load.answered.push(answer.body.auditRecordId)
            load.grants += Number(answer.body.recommendation === 'grant')
          } catch (error) {
            if (!(error instanceof TypeError)) throw error
            load.broken += 1
            if (untilGone) return
          }
        }
      }
      const ended = Promise.all(Array.from({ length: connections }, client))
      return Object.assign(load, {
        async stop() {
          running = false
          await ended
        },
      })
    },
    /** Reads the records in order, on a connection of its own. @throws Error if the file is damaged. */
    stored: () => iterateStored((records) => [...records]),
    iterateStored,
    async close(): Promise<void> {
      await service.end('SIGKILL')
      proxy.close()
      await chain.stop()
      folder.remove()
    },
  }
}
