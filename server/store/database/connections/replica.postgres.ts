import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import { ApiError } from '../../../errors.ts'
import { codeOf } from '../codeOf.ts'
import { translateFailure, translateFailuresOf } from '../databaseFailure.ts'
import { openPostgresPool } from './openPostgresPool.ts'
import type { ReadFrom } from './readFrom.ts'

/** Where the log of the primary ended, and what identifies that log. */
type Position = { lsn: string; timeline: number; cluster: string }

type Standing = {
  isStandby: boolean
  isCurrent: boolean
  timeline: number
  cluster: string
  behindBytes: number | null
}

/** What is wrong with the replica; null for one that is up to date, or only a moment behind. */
export type ReplicaState = { fault: string | null; behindBytes: number | null }

export type Replica = {
  read: ReadFrom
  /** Compares the replica with the primary now. */
  look(): Promise<ReplicaState>
  close(): Promise<void>
}

const POOL_MAX = 10
/** Short, because the primary can answer instead. */
const LIMITS = { connectMs: 1_000, statementMs: 3_000 }
/** How long a read waits for the replica to replay what was committed before. */
const WAIT_MS = 50
const LOOK_MS = 5
/** How long reads go to the primary without asking the replica, after it did not respond or was behind. */
const AVOIDED_MS = { unreachable: 5_000, behind: 1_000 }
/** Query cancelled, as by the limit of time, and serialisation failure. Source: PostgreSQL 15 appendix A, §27.4.2. */
const CANCELLED_SQLSTATES = ['57014', '40001']
/** Missing grants, a missing schema and a missing table. Source: PostgreSQL 15 appendix A. */
const REFUSED_SQLSTATES = ['42501', '3F000', '42P01']
const REFUSES = 'the login at READ_DATABASE_URL may not read the tables, or they are not in its database'
/** How long a replica may be behind before the health check warns. */
const BEHIND_MAX_MS = 10_000

/**
 * The end of what is written, not of what is flushed: the projection does not wait for the flush of its commits.
 *
 * The insert position is where the next record begins. At the beginning of a page, that is behind the page's header of 24
 * bytes, or 40 in the first page of a file, which is replayed only with the next record. No record ends before byte 48 of
 * the page in which it begins, so the beginning of the page is then an equivalent position.
 *
 * The timeline is the beginning of the name of a log file. Source: PostgreSQL 15 §9.27.3, §26.3.6, xlog_internal.h.
 */
const POSITION = `SELECT (lsn - CASE WHEN inside <= 40 THEN inside ELSE 0 END)::text AS lsn,
  ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int AS timeline,
  (SELECT system_identifier::text FROM pg_control_system()) AS cluster
  FROM (SELECT lsn, pg_wal_lsn_diff(lsn, '0/0') % current_setting('wal_block_size')::int AS inside
    FROM pg_current_wal_insert_lsn() AS ended (lsn)) AS position`

/** Only a standby has a replay position. Source: PostgreSQL 15 §9.27.4. */
const STANDING = `SELECT pg_is_in_recovery() AS "isStandby",
  COALESCE(pg_last_wal_replay_lsn() >= CAST(? AS pg_lsn), false) AS "isCurrent",
  (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline,
  (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
  GREATEST(pg_wal_lsn_diff(CAST(? AS pg_lsn), pg_last_wal_replay_lsn()), 0)::float AS "behindBytes"`

/**
 * Opens a replica for reads that no decision, authorisation or write rests on.
 *
 * Every read first asks the primary where its log ends, which is behind every commit that anybody has seen, and uses the
 * replica only once it has replayed that position. A read therefore sees what was committed before it, whoever wrote it and
 * through whichever process. Position and reads share one transaction, because a name may stand for several replicas.
 * Otherwise the primary is read: if the replica does not respond, is behind, belongs to another cluster, or follows a
 * timeline from before a fail-over, whose positions mean something else. A read that the replica cancels is repeated on the
 * primary, and the next one asks the replica again. A read that the replica refuses, as without grants or in another
 * database, is repeated too: if the primary answers it, the replica is at fault, and otherwise the statement.
 *
 * @param url One host.
 * @param primary Reads the primary.
 * @param readRow Reads a row, to find out whether the login may read the tables.
 * @param warn Receives a sentence for the operator when the replica cannot be used, when the cause of that changes, and when
 * it is back.
 */
export function openReplica({
  url,
  primary,
  readRow,
  warn,
}: {
  url: string
  primary: Knex
  readRow: (reader: Knex) => Promise<unknown>
  warn: (sentence: string) => void
}): Replica {
  const replica = translateFailuresOf(
    openPostgresPool(
      url,
      { name: 'replica', ...LIMITS },
      { pool: { min: 0, max: POOL_MAX }, acquireConnectionTimeout: LIMITS.connectMs + 500 },
    ),
  )
  let avoidedUntil = 0
  let lastFault: string | null = null
  let currentAt = performance.now()

  const readPosition = async (): Promise<Position> => (await primary.raw(POSITION)).rows[0]

  /** Reads how far the replica has replayed, until it is current or the wait is over. */
  const waitFor = async (reader: Knex, position: Position): Promise<Standing> => {
    const until = performance.now() + WAIT_MS
    for (;;) {
      const standing: Standing = (await reader.raw(STANDING, [position.lsn, position.lsn])).rows[0]
      if (standing.isCurrent || !standing.isStandby || performance.now() >= until) return standing
      await pause(LOOK_MS)
    }
  }

  const report = (fault: string | null): void => {
    if (fault !== null && kindOf(fault) !== kindOf(lastFault))
      warn(`Reads go to the primary database: ${fault}.`)
    if (fault === null && lastFault !== null) warn('The read replica is used again.')
    lastFault = fault
  }

  const judge = (standing: Standing, position: Position): 'use' | 'behind' | 'useless' => {
    const fault = findFault(standing, position)
    if (fault !== null) {
      report(fault)
      return 'useless'
    }
    if (!standing.isCurrent) return 'behind'
    currentAt = performance.now()
    return 'use'
  }

  const avoid = (ms: number): void => {
    avoidedUntil = performance.now() + ms
  }

  const leave = (fault: string): void => {
    avoid(AVOIDED_MS.unreachable)
    report(fault)
  }

  return {
    async read(work) {
      if (performance.now() < avoidedUntil) return work(primary)
      const position = await readPosition()
      try {
        const found = await translateFailure(
          replica.transaction(
            async (trx) => {
              const verdict = judge(await waitFor(trx, position), position)
              if (verdict === 'use') return { result: await work(trx) }
              avoid(verdict === 'behind' ? AVOIDED_MS.behind : AVOIDED_MS.unreachable)
              return null
            },
            { readOnly: true },
          ),
        )
        if (found !== null) {
          report(null)
          return found.result
        }
      } catch (error) {
        if (isRefused(error)) {
          const result = await work(primary)
          leave(REFUSES)
          return result
        }
        if (!isUnavailable(error)) throw error
        if (!isCancelled(error)) leave(describe(error))
      }
      return work(primary)
    },

    async look() {
      if (lastFault !== null && performance.now() < avoidedUntil)
        return { fault: lastFault, behindBytes: null }
      const position = await readPosition()
      try {
        const standing = await translateFailure(waitFor(replica, position))
        const verdict = judge(standing, position)
        if (verdict === 'use') {
          await readRow(replica)
          report(null)
        }
        const behindMs = performance.now() - currentAt
        if (verdict === 'behind' && behindMs >= BEHIND_MAX_MS)
          report(`the replica has been behind for ${Math.round(behindMs / 1_000)} s`)
        return { fault: lastFault, behindBytes: standing.behindBytes }
      } catch (error) {
        leave(isRefused(error) ? REFUSES : describe(error))
        return { fault: lastFault, behindBytes: null }
      }
    },

    close: () => replica.destroy(),
  }
}

/** A fault without its figures and without the error of the connection, which change while it lasts. */
function kindOf(fault: string | null): string | undefined {
  return fault?.replace(/:.*$/s, '').replace(/\d+/g, '0')
}

function findFault({ isStandby, timeline, cluster }: Standing, position: Position): string | null {
  if (cluster !== position.cluster) return 'the server at READ_DATABASE_URL is of another cluster'
  if (!isStandby) return 'the server at READ_DATABASE_URL is no standby'
  if (timeline !== position.timeline)
    return `the replica follows timeline ${timeline}, and the primary is on ${position.timeline}`
  return null
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE'
}

/** Whether the replica does not let the login read, or has no such table. */
function isRefused(error: unknown): boolean {
  return REFUSED_SQLSTATES.includes(codeOf(error))
}

/** Whether the replica, which responds, ended this one statement: it took too long, or conflicted with the replay. */
function isCancelled(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
  return typeof code === 'string' && CANCELLED_SQLSTATES.includes(code)
}

function describe(error: unknown): string {
  const cause = error instanceof ApiError ? (error.detail ?? error.message) : String(error)
  return `the replica does not respond (${cause})`
}
