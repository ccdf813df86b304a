import { openReconnectingClient } from '../database/connections/reconnectingClient.postgres.ts'
import { serviceUnavailable } from '../database/databaseFailure.ts'

type Rule = { name: string; max: number; windowSeconds: number }
type Window = { taken: number; endsAt: number }
type Call = { resolve(windows: Window[]): void; reject(reason: unknown): void }
/** Calls that count in the same windows, in the order of their arrival. */
type Group = { rules: readonly Rule[]; callers: readonly string[]; calls: Call[] }
/** How many calls the windows of a group had counted before its own, and when they end; null where none was counted. */
type Counted = { before: (number | null)[]; ends: (number | null)[] }

export type SharedRateWindows = {
  /**
   * Counts a call in the window of each rule’s caller, in order and up to the first that has no room, whichever process it
   * reached.
   *
   * @returns The windows in which the call was counted, with its position in each.
   * @throws ApiError SERVICE_UNAVAILABLE if the call cannot be counted; uncounted calls are refused.
   */
  take(rules: readonly Rule[], callers: readonly string[], now: number): Promise<Window[]>
  close(): Promise<void>
}

/**
 * How long a call may wait to be counted before it is refused. Without nested loops, because the planner takes a batch of
 * hundreds for a few rows, and would compare each with each.
 */
const CONNECTION = {
  name: 'budgets',
  lockMs: 1_000,
  statementMs: 2_000,
  parameters: '-c enable_nestloop=off',
}
const FORGET_EVERY_MS = 60_000
/** Separates budgets and callers in a key; neither contains a line break. */
const SEPARATOR = '\n'
/** The most rules of one budget. */
const LEVELS = [1, 2, 3] as const

/**
 * Rate windows that all processes of a PostgreSQL database count together exactly.
 *
 * Calls that arrive while earlier ones are being counted are counted in one statement, and each receives its own position
 * in every count. A rule has the same level in each budget that it belongs to, and the rows of a level are written in the
 * same order, so that processes cannot deadlock. The table is unlogged: counting costs a round trip and no sync.
 */
export function createSharedRateWindows(url: string): SharedRateWindows {
  const connection = openReconnectingClient(url, CONNECTION)
  let queue = new Map<string, Group>()
  let running: Promise<void> | null = null
  let latest = 0
  let forgetAt = 0

  async function run(): Promise<void> {
    await new Promise(setImmediate)
    while (queue.size > 0) {
      const groups = [...queue.values()]
      queue = new Map()
      try {
        await count(groups)
      } catch (error) {
        for (const { reject } of groups.flatMap(({ calls }) => calls)) reject(serviceUnavailable(error))
      }
    }
    running = null
  }

  async function count(groups: readonly Group[]): Promise<void> {
    const client = await connection.connect()
    const sizes = groups.map(({ calls }) => calls.length)
    const values = [...LEVELS.flatMap((level) => columnsOf(groups, level, latest)), sizes, latest]
    const { rows } = await client.query({ name: 'take', text: TAKE, values, rowMode: 'array' })
    for (const [nth, group] of groups.entries()) {
      const row: (number | null)[] = rows[nth] ?? []
      const counted = { before: row.slice(0, LEVELS.length), ends: row.slice(LEVELS.length) }
      for (const [place, { resolve }] of group.calls.entries()) resolve(windowsOf(group, counted, place))
    }
    if (latest < forgetAt) return
    forgetAt = latest + FORGET_EVERY_MS
    await client.query({ name: 'forget', text: FORGET, values: [latest] })
  }

  return {
    take(rules, callers, now) {
      latest = now
      return new Promise((resolve, reject) => {
        const key = rules.map(({ name }, nth) => name + SEPARATOR + callers[nth]).join(SEPARATOR)
        const group = queue.get(key)
        if (group) group.calls.push({ resolve, reject })
        else queue.set(key, { rules, callers, calls: [{ resolve, reject }] })
        running ??= run()
      })
    },
    async close() {
      await running
      await connection.close()
    },
  }
}

/** Budget, caller, end of a new window and maximum of each group at a level; null for a group without this level. */
function columnsOf(groups: readonly Group[], level: number, now: number): unknown[][] {
  const rows = groups.map(({ rules, callers }) => {
    const rule = rules[level - 1]
    if (rule === undefined) return [null, null, null, null]
    return [rule.name, callers[level - 1] ?? '', now + rule.windowSeconds * 1000, rule.max]
  })
  return [0, 1, 2, 3].map((column) => rows.map((row) => row[column]))
}

/** The windows of a call by its place in its group: those that a window refuses are the last ones. */
function windowsOf({ rules }: Group, { before, ends }: Counted, place: number): Window[] {
  const windows: Window[] = []
  for (const [nth, { max }] of rules.entries()) {
    const taken = (before[nth] ?? 0) + place + 1
    windows.push({ taken, endsAt: ends[nth] ?? 0 })
    if (taken > max) break
  }
  return windows
}

const TYPES = LEVELS.flatMap(() => ['text', 'text', 'bigint', 'bigint'])
const [SIZES, NOW] = [`$${TYPES.length + 1}`, `$${TYPES.length + 2}`]

function listForEach(of: (level: number) => string): string {
  return LEVELS.map(of).join(', ')
}

/**
 * Counts groups of calls level by level, each time only the calls that the level before admitted. Groups that share a
 * window are counted in their order.
 */
const TAKE = `WITH level0 AS MATERIALIZED (
  SELECT * FROM unnest(${TYPES.map((type, i) => `$${i + 1}::${type}[]`).join(', ')}, ${SIZES}::bigint[]) WITH ORDINALITY
    AS call (${listForEach((level) => `budget${level}, caller${level}, fresh${level}, max${level}`)}, admitted0, nth)
)${LEVELS.map(buildLevel).join('')}
SELECT ${listForEach((level) => `before${level}`)}, ${listForEach((level) => `ends${level}`)}
  FROM level${LEVELS.length} ORDER BY nth`

function buildLevel(level: number): string {
  const admitted = `admitted${level - 1}`
  return `,
taken${level} AS (
  INSERT INTO rate_windows AS known (budget, caller, ends_at, taken)
  SELECT budget${level}, caller${level}, min(fresh${level}), sum(${admitted}) FROM level${level - 1}
    WHERE budget${level} IS NOT NULL AND ${admitted} > 0 GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (budget, caller) DO UPDATE SET
    ends_at = CASE WHEN known.ends_at <= ${NOW} THEN excluded.ends_at ELSE known.ends_at END,
    taken = CASE WHEN known.ends_at <= ${NOW} THEN excluded.taken ELSE known.taken + excluded.taken END
  RETURNING budget, caller, ends_at, taken
),
counted${level} AS (
  SELECT call.*, ends_at AS ends${level},
    (taken - sum(${admitted}) OVER (PARTITION BY budget${level}, caller${level} ORDER BY nth DESC))::bigint AS before${level}
  FROM level${level - 1} AS call LEFT JOIN taken${level} ON budget = budget${level} AND caller = caller${level}
),
level${level} AS (
  SELECT *, LEAST(${admitted}, GREATEST(0, max${level} - before${level})) AS admitted${level} FROM counted${level}
)`
}

/** Skips a row that another process is currently updating. */
const FORGET = `DELETE FROM rate_windows WHERE (budget, caller) IN (
  SELECT budget, caller FROM rate_windows WHERE ends_at <= $1 LIMIT 10000 FOR UPDATE SKIP LOCKED)`
