import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { freePort } from '../test/harness/freePort.ts'
import type { LoadRequest } from './load/loadRequest.ts'
import { type RunningServer, startServer } from './load/startServer.ts'
import { verifyAccessRequest } from './verifyAccessRequest.ts'
import { setUpVerifyAccess } from './verifyAccessSetup.ts'

/** Our service under load. */
export type BenchService = {
  readonly server: RunningServer
  readonly verified: LoadRequest
  readonly anonymous: LoadRequest
  /** How many audit records of verifications are on disk now, read past the service. */
  countRecords(): number
}

/**
 * Starts our service as a user would, on an empty folder, and sets it up over its public API.
 *
 * Only the rate budgets differ from the defaults: they are there to end exactly such a load.
 */
export async function startBenchService(folder: string): Promise<BenchService> {
  const dataDir = join(folder, 'data')
  const registrationFiles = join(dataDir, 'registration-files')
  mkdirSync(registrationFiles, { recursive: true })
  const port = await freePort()
  const server = await startServer({
    script: new URL('../server/main.js', import.meta.url),
    port,
    env: {
      PORT: String(port),
      CHAIN_PORT: String(await freePort()),
      DATA_DIR: dataDir,
      REGISTRATION_FILES_DIR: registrationFiles,
      VERIFY_RATE_PER_MINUTE: '100000000',
      API_RATE_PER_MINUTE: '100000000',
      LOG_LEVEL: 'warn',
    },
  })
  try {
    const names = await setUpVerifyAccess(server.url)
    return {
      server,
      verified: verifyAccessRequest(names),
      anonymous: verifyAccessRequest({ ...names, agentId: undefined }),
      countRecords: () => countRecords(join(dataDir, 'svc.sqlite')),
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Of verifications alone: publishing the agent's registration file is recorded too, whenever the chain has it. */
function countRecords(file: string): number {
  const database = new Database(file, { readonly: true })
  try {
    const row = database
      .prepare(`SELECT count(*) AS records FROM audit_records WHERE event_type LIKE 'verification.%'`)
      .get()
    return (row as { records: number }).records
  } finally {
    database.close()
  }
}
