import type { Knex } from 'knex'

/** What one request may forget is a matter of milliseconds; the retention deletes the rest. */
const FORGOTTEN_MAX = 1_000

/** Rows by the columns that name one, whose time is a moment ago in epoch milliseconds. */
type Old = { table: string; name: readonly string[]; since: string; before: number }

/** Deletes some of the rows whose time was before a moment. */
export async function forgetSome(run: Knex, { table, name, since, before }: Old): Promise<void> {
  const some = run(table).select(name).where(since, '<', before).limit(FORGOTTEN_MAX)
  await run(table).whereIn(name, some).delete()
}
