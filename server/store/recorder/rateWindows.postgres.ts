import { serviceUnavailable } from '../database/databaseFailure.ts'
import { openReconnectingClient } from '../database/reconnectingClient.postgres.ts'

type Rule = { name: string; windowSeconds: number }
type Window = { taken: number; endsAt: number }
type Call = { rule: Rule; caller: string; resolve(window: Window): void; reject(reason: unknown): void }

export type SharedRateWindows = {
  /**
   * Counts a call in the caller’s window, whichever process it reached.
   *
   * @throws ApiError SERVICE_UNAVAILABLE if the call cannot be counted; uncounted calls are refused.
   */
  take(rule: Rule, caller: string, now: number): Promise<Window>
  close(): Promise<void>
}

/** How long a call may wait to be counted before it is refused. */
const CONNECTION = { name: 'budgets', lockMs: 1_000, statementMs: 2_000 }
const FORGET_EVERY_MS = 60_000
/** Separates budget and caller in a key; names of budgets contain no line break. */
const SEPARATOR = '\n'

/**
 * Rate windows that all processes of a PostgreSQL database count together exactly.
 *
 * Calls that arrive while earlier ones are being counted are counted in one statement, and each receives its own position
 * in the count. Rows are always written in the same order, so that processes cannot deadlock. The table is unlogged:
 * counting costs a round trip and no sync.
 */
export function createSharedRateWindows(url: string): SharedRateWindows {
  const connection = openReconnectingClient(url, CONNECTION)
  let queue: Call[] = []
  let running: Promise<void> | null = null
  let latest = 0
  let forgetAt = 0

  async function run(): Promise<void> {
    await new Promise(setImmediate)
    while (queue.length > 0) {
      const calls = queue
      queue = []
      try {
        await count(calls)
      } catch (error) {
        for (const { reject } of calls) reject(serviceUnavailable(error))
      }
    }
    running = null
  }

  async function count(calls: readonly Call[]): Promise<void> {
    const byKey = new Map<string, Call[]>()
    for (const call of calls) {
      const key = call.rule.name + SEPARATOR + call.caller
      const same = byKey.get(key)
      if (same) same.push(call)
      else byKey.set(key, [call])
    }
    const keys = [...byKey.keys()].sort()
    const column = <Value>(of: (call: Call, count: number) => Value) =>
      keys.flatMap((key) => {
        const same = byKey.get(key) ?? []
        return same[0] ? [of(same[0], same.length)] : []
      })
    const client = await connection.connect()
    const { rows } = await client.query<{ budget: string; caller: string; endsAt: number; taken: number }>({
      name: 'take',
      text: TAKE,
      values: [
        column(({ rule }) => rule.name),
        column(({ caller }) => caller),
        column(({ rule }) => latest + rule.windowSeconds * 1000),
        column((_, count) => count),
        latest,
      ],
    })
    for (const { budget, caller, endsAt, taken } of rows) {
      const same = byKey.get(budget + SEPARATOR + caller) ?? []
      for (const [i, { resolve }] of same.entries()) resolve({ endsAt, taken: taken - same.length + 1 + i })
    }
    if (latest < forgetAt) return
    forgetAt = latest + FORGET_EVERY_MS
    await client.query({ name: 'forget', text: FORGET, values: [latest] })
  }

  return {
    take(rule, caller, now) {
      latest = now
      return new Promise((resolve, reject) => {
        queue.push({ rule, caller, resolve, reject })
        running ??= run()
      })
    },
    async close() {
      await running
      await connection.close()
    },
  }
}

const TAKE = `INSERT INTO rate_windows AS known (budget, caller, ends_at, taken)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
  ON CONFLICT (budget, caller) DO UPDATE SET
    ends_at = CASE WHEN known.ends_at <= $5 THEN excluded.ends_at ELSE known.ends_at END,
    taken = CASE WHEN known.ends_at <= $5 THEN excluded.taken ELSE known.taken + excluded.taken END
  RETURNING budget, caller, ends_at AS "endsAt", taken`

/** Skips a row that another process is currently updating. */
const FORGET = `DELETE FROM rate_windows WHERE (budget, caller) IN (
  SELECT budget, caller FROM rate_windows WHERE ends_at <= $1 LIMIT 10000 FOR UPDATE SKIP LOCKED)`
