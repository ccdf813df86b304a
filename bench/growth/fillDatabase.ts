import Database from 'better-sqlite3'
import { buildLog, type LogFiles } from '../proofs/buildLog.ts'
import type { GrowthSizes } from './growthSizes.ts'

/** Returns the identifier of the `nth` added agent; identifiers are spread over the whole range, like random ones. */
export function grownAgentId(nth: number): string {
  return `SVC-${spread(nth)}${String(nth).padStart(12, '0')}`
}

/** Factor of Knuth's multiplicative hash, which keeps consecutive agents apart in an index. */
const SPREAD_FACTOR = 2_654_435_761

function spread(nth: number): string {
  return String((nth * SPREAD_FACTOR) % 4_294_967_296).padStart(10, '0')
}

/** The columns in which a copy differs from its template, in SQL over the copy's number `n`. */
const SPREAD_SQL = `printf('%010d', (n * ${SPREAD_FACTOR}) % 4294967296)`
const ID_SQL = `printf('%08x-%04x-7%03x-8%03x-%012x', (n * ${SPREAD_FACTOR}) % 4294967296, n % 65536, n % 4096, n % 4096, n)`
const COPIES = {
  agents: {
    id: ID_SQL,
    svc_id: `'SVC-' || ${SPREAD_SQL} || printf('%012d', n)`,
    name: `'Agent ' || n`,
    signer_address: `'0x' || printf('%040x', n * ${SPREAD_FACTOR})`,
    chain_agent_id: '1000 + n',
  },
  endpoints: {
    id: ID_SQL,
    svce_id: `'SVCE-' || ${SPREAD_SQL} || printf('%012d', n)`,
    name: `'Shop ' || n`,
    url: `'https://shop' || n || '.example/api'`,
    host: `'shop' || n || '.example'`,
  },
} as const

/**
 * Adds agents, endpoints and events to the database of a stopped service.
 *
 * Agents and endpoints are renamed copies of the first row that the service itself wrote, and need nothing from the chain.
 * Events are written by the service's own recorder and projection.
 */
export async function fillDatabase(
  files: LogFiles,
  { agents, endpoints, events }: GrowthSizes,
  logProgress: (what: string) => void,
): Promise<void> {
  const database = new Database(files.databaseFile)
  try {
    for (const [table, count] of Object.entries({ agents, endpoints }) as [
      'agents' | 'endpoints',
      number,
    ][]) {
      logProgress(`${count.toLocaleString('en')} ${table}`)
      copyFirst(database, table, count)
    }
    database.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
  await buildLog(files, events, logProgress)
}

function copyFirst(database: Database.Database, table: keyof typeof COPIES, count: number): void {
  const own: Record<string, string> = COPIES[table]
  const columns = (database.pragma(`table_info(${table})`) as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'position')
  const values = columns.map((name) => own[name] ?? `first.${name}`)
  database
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO ${table} (${columns.join(', ')})
       SELECT ${values.join(', ')} FROM numbers, (SELECT * FROM ${table} ORDER BY position LIMIT 1) AS first
       WHERE ? > 0`,
    )
    .run(count, count)
}
