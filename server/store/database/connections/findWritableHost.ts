import pg from 'pg'
import { type DatabaseHost, splitDatabaseUrl } from '../../../config/splitDatabaseUrl.ts'

/** How long a host may take to connect, and to respond; all are asked at the same time. */
const PROBE_MS = 3_000

/**
 * The newest timeline seen at each URL in this process. A promotion starts a new one, so a former primary that comes back
 * on its own has an older one. Source: PostgreSQL 15 §26.3.6 "Timelines".
 */
const newestTimelines = new Map<string, number>()

/**
 * Chooses the host of a database that accepts writes, and returns the URL with that host only.
 *
 * The hosts are asked at the same time, so that one that does not respond costs nothing; only the first time are all
 * awaited, because a former primary may accept writes as well. A host is not used if this process has seen a newer
 * timeline than its own. A URL with a single host and without `target_session_attrs` is returned as it is.
 *
 * @throws Error with one sentence that names every host and why it was not chosen. Its code makes callers retry later.
 */
export async function findWritableHost(url: string): Promise<string> {
  const hosts = splitDatabaseUrl(url)
  const [first] = hosts
  if (hosts.length === 1 && !new URL(first.url).searchParams.has('target_session_attrs')) return url
  const probes = hosts.map((host) => probe(url, host))
  if (!newestTimelines.has(url)) await Promise.allSettled(probes)
  try {
    return await Promise.any(
      probes.map(async (probing) => {
        const found = await probing
        if (found.timeline < newestOf(url)) throw new Error(`${found.name} (was replaced by a newer primary)`)
        return found.url
      }),
    )
  } catch (cause) {
    const reasons = (cause as AggregateError).errors.map(({ message }: Error) => message).join(', ')
    const message = `PostgreSQL accepts writes at none of the hosts of DATABASE_URL: ${reasons}`
    throw Object.assign(new Error(message, { cause }), { code: UNABLE_TO_CONNECT })
  }
}

/** SQLSTATE "sqlclient unable to establish sqlconnection". Source: PostgreSQL 15 appendix A. */
const UNABLE_TO_CONNECT = '08001'

const newestOf = (url: string): number => newestTimelines.get(url) ?? 0

/** The timeline is the beginning of the name of a log file. */
const PROBE = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly", CASE WHEN pg_is_in_recovery() THEN 0
  ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int END AS timeline`

async function probe(url: string, host: DatabaseHost): Promise<DatabaseHost & { timeline: number }> {
  const { isReadOnly, timeline } = await ask(host)
  if (isReadOnly) throw new Error(`${host.name} (read-only)`)
  newestTimelines.set(url, Math.max(newestOf(url), timeline))
  return { ...host, timeline }
}

async function ask({ name, url }: DatabaseHost): Promise<{ isReadOnly: boolean; timeline: number }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'svc-hosts',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(PROBE)
    return rows[0]
  } catch (cause) {
    throw new Error(`${name} (${reasonOf(cause)})`, { cause })
  } finally {
    client.end().catch(() => undefined)
  }
}

/** The code of an error of the network, which has no message if several addresses were tried; otherwise the message. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string }
  return typeof code === 'string' && /^E[A-Z]/.test(code) ? code : message
}
