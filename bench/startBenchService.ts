import { join } from 'node:path'
import Database from 'better-sqlite3'
import { buildLoadRequests, type LoadRequests } from './buildLoadRequests.ts'
import type { RunningServer } from './load/startServer.ts'
import { setUpVerifyAccess } from './setUpVerifyAccess.ts'
import { type OwnServiceOptions, startOwnService } from './startOwnService.ts'

/** Our service under load. */
export type BenchService = LoadRequests & {
  readonly server: RunningServer
  /** Counts the audit records of verifications on disk, read directly from the database. */
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
    const requests = buildLoadRequests(await setUpVerifyAccess(server.url))
    return {
      server,
      ...requests,
      countRecords: () => countRecords(join(dataDir, 'svc.sqlite')),
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Counts only verifications, because publishing the agent's registration file is also recorded at some point. */
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
