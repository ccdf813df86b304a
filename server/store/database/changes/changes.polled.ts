import type { Client } from 'pg'
import { openReconnectingClient } from '../connections/reconnectingClient.postgres.ts'
import type { ChangesListener, ChangesSubscription } from './changes.ts'
import { sweepChanges } from './sweepChanges.postgres.ts'

const POLL_MS = 100
/** Limits how long a poll may take, and how long cached values are relied on without one. */
const LOOK_MS = 2_000
const FORGET_MS = 500
/**
 * How long a missing number is looked for, and how far a new listener reads back. Migration 0117 refuses a transaction that
 * commits later than 30 seconds after its change, but the commit itself may then wait for a lost synchronous standby, and
 * nobody sees it meanwhile. Nearly all missing numbers are those of transactions that were rolled back.
 */
const GAP_MS = 60 * 60_000
/** How long a missing number is looked for at every poll, and then how often it is. */
const RECENT_MS = 60_000
const OLD_LOOK_MS = 2_000
/** How often rows that no listener reads any more are deleted, and how long after a failure. */
const SWEEP_MS = 60_000
const FAILED_SWEEP_MS = 10 * 60_000

/** How far the changes have been read: all numbers up to `last`, except those that were missing, and since when. */
type Position = { last: number; missing: Map<number, number> }

/**
 * Subscribes to changes by reading the table that the triggers fill, for databases without `LISTEN`.
 *
 * Numbers are assigned before the commit, so a transaction may commit after one with a higher number: a missing number is
 * looked for until it can no longer appear. After a failure, everything from the last hour is read again, because numbers
 * may be assigned again after a fail-over.
 *
 * @returns Once the first changes would arrive.
 * @throws Error if the database is unreachable.
 */
export async function pollChanges(
  url: string,
  listener: ChangesListener,
  {
    sweepMs = SWEEP_MS,
    clock = () => performance.now(),
  }: { sweepMs?: number /** Monotonic milliseconds. */; clock?: () => number } = {},
): Promise<ChangesSubscription> {
  const { onChange, onMissed, log } = listener
  const connection = openReconnectingClient(url, { name: 'changes', statementMs: LOOK_MS })
  let position: Position | null = null
  let lookedForOldAt = clock()
  let sweepAt = clock() + sweepMs
  let sweeping: Promise<void> | null = null
  let stopped = false
  let wake: () => void = () => undefined

  async function look(): Promise<void> {
    const client = await connection.connect()
    const isFirst = position === null
    position ??= { last: await readFloor(client), missing: new Map() }
    // What was cached before the floor was read may be older than it.
    if (isFirst) onMissed()
    const { last, missing } = position
    const now = clock()
    const looksForOld = now - lookedForOldAt >= OLD_LOOK_MS
    if (looksForOld) lookedForOldAt = now
    const wanted = [...missing].filter(([, since]) => looksForOld || since >= now - RECENT_MS)
    const { rows } = await client.query<{ id: number; said: string }>({
      name: 'read_changes',
      text: 'SELECT id, said FROM changes WHERE id > $1 OR id = ANY ($2::bigint[]) ORDER BY id',
      values: [last, wanted.map(([id]) => id)],
    })
    for (const { id, said } of rows) {
      advance(position, id, now)
      const [kind = '', ...ids] = said.split(':')
      onChange({ kind, ids })
    }
    for (const [id, since] of missing) if (since < now - GAP_MS) missing.delete(id)
  }

  async function sweep(): Promise<void> {
    try {
      await sweepChanges(url, GAP_MS)
      sweepAt = clock() + sweepMs
    } catch (err) {
      sweepAt = clock() + FAILED_SWEEP_MS
      if (!stopped) log.warn({ err }, 'changes that all processes have read cannot be deleted')
    }
    sweeping = null
  }

  async function lookSafely(isReported: boolean): Promise<boolean> {
    const forgetting = setInterval(onMissed, FORGET_MS)
    try {
      await look()
      return false
    } catch (err) {
      position = null
      onMissed()
      if (!isReported && !stopped) log.warn({ err }, 'changes by other processes cannot be received')
      return true
    } finally {
      clearInterval(forgetting)
    }
  }

  async function watch(): Promise<void> {
    let isFailing = false
    while (!stopped) {
      await new Promise<void>((resume) => {
        const timer = setTimeout(resume, isFailing ? FORGET_MS : POLL_MS)
        wake = () => {
          clearTimeout(timer)
          resume()
        }
      })
      if (stopped) break
      isFailing = await lookSafely(isFailing)
      if (!isFailing && clock() >= sweepAt) sweeping ??= sweep()
    }
    await sweeping
    await connection.close()
  }

  await look().catch(async (error: unknown) => {
    await connection.close()
    throw error
  })
  const watching = watch()
  return {
    async stop() {
      stopped = true
      wake()
      await watching
    },
  }
}

function advance(position: Position, id: number, now: number): void {
  position.missing.delete(id)
  for (let skipped = position.last + 1; skipped < id; skipped += 1) position.missing.set(skipped, now)
  position.last = Math.max(position.last, id)
}

/** Finds the number up to which no change is expected to appear any more. */
async function readFloor(client: Client): Promise<number> {
  const { rows } = await client.query<{ floor: number }>(
    `SELECT COALESCE(max(id), 0) AS floor FROM changes WHERE made_at < now() - interval '${GAP_MS / 1_000} seconds'`,
  )
  return rows[0]?.floor ?? 0
}
