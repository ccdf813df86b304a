import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { LoadRequest } from './load/loadRequest.ts'
import type { RunningServer } from './load/startServer.ts'
import { type OwnServiceOptions, startOwnService } from './startOwnService.ts'
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

/** Starts our service as a user would, on an empty folder, and sets it up over its public API. */
export async function startBenchService(
  folder: string,
  options: OwnServiceOptions = {},
): Promise<BenchService> {
  const dataDir = join(folder, 'data')
  const server = await startOwnService(dataDir, options)
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
