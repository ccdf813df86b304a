import { join } from 'node:path'
import pg from 'pg'
import { startLocalChain } from '../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import { createPostgresDatabase } from '../../test/harness/database/postgres.ts'
import { findFreePort } from '../../test/harness/runner/findFreePort.ts'
import { buildVerifyAccessRequest } from '../buildVerifyAccessRequest.ts'
import type { LoadRequest } from '../load/loadRequest.ts'
import type { RunningServer } from '../load/startServer.ts'
import { registerLimitedAgent, setUpVerifyAccess } from '../setUpVerifyAccess.ts'
import { startOwnService } from '../startOwnService.ts'

/** Agents with an hourly cap each. Groups of several processes hardly ever have none in common. */
const CAPPED = 64
const LIMITS = { stepUpThreshold: 500, approvalThreshold: 1_000, currency: 'USD' }
/** Registrations at a time. */
const AT_ONCE = 8
/** 32 bytes, for databases that exist only during the run. */
const SECRETS_KEY = Buffer.alloc(32, 'bench').toString('base64')

/** Processes of our service over one database. */
export type ScalingService = {
  readonly servers: readonly RunningServer[]
  readonly databaseUrl: string
  /** By agents without caps, so that nothing is counted, and by agents with an hourly cap each. */
  readonly requests: Readonly<Record<'uncapped' | 'capped', LoadRequest>>
  /** Counts the verifications in the database that have their place in the log, and those that wait for one. */
  countRecords(): Promise<{ placed: number; pending: number }>
  stop(): Promise<void>
}

/** Starts the processes on a new database of the cluster, with a chain for all of them, and sets them up over their API. */
export async function openScalingService(
  clusterUrl: string,
  folder: string,
  processes: number,
): Promise<ScalingService> {
  const database = await createPostgresDatabase(clusterUrl)
  const chain = await startLocalChain(await findFreePort())
  const servers: RunningServer[] = []
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await chain.stop()
  }
  const settings = {
    DATABASE_URL: database.url,
    SECRETS_KEY,
    RPC_URL: chain.url,
    RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
    CONFIRMATIONS: '1',
    ALLOW_PRIVATE_NETWORK: 'true',
    REGISTRATION_RATE_PER_HOUR: '1000000',
  }
  try {
    const start = (nth: number) => startOwnService(join(folder, `${processes}-${nth}`), { settings })
    // The first one migrates the database and deploys the contracts.
    const first = await start(0)
    servers.push(first)
    const starting = Array.from({ length: processes - 1 }, async (_, nth) =>
      servers.push(await start(nth + 1)),
    )
    await Promise.all(starting)
    return {
      servers,
      databaseUrl: database.url,
      requests: await setUp(first.url),
      countRecords: () => countRecords(database.url),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function setUp(url: string): Promise<ScalingService['requests']> {
  const names = await setUpVerifyAccess(url)
  const agents: string[] = []
  while (agents.length < CAPPED) {
    const limits = { ...LIMITS, maxTransactionsPerHour: 1_000_000 }
    const batch = Array.from({ length: AT_ONCE }, () => registerLimitedAgent(url, limits))
    agents.push(...(await Promise.all(batch)))
  }
  const capped = buildVerifyAccessRequest(names)
  const bodies = agents.map((agentId) => JSON.stringify({ ...JSON.parse(capped.body), agentId }))
  const agentId = await registerLimitedAgent(url, LIMITS)
  return { uncapped: buildVerifyAccessRequest({ ...names, agentId }), capped: { ...capped, bodies } }
}

async function countRecords(url: string): Promise<{ placed: number; pending: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`SELECT
      (SELECT count(*)::int FROM audit_records WHERE event_type LIKE 'verification.%') AS placed,
      (SELECT count(*)::int FROM pending_records WHERE event_type LIKE 'verification.%') AS pending`)
    return rows[0]
  } finally {
    await client.end()
  }
}
