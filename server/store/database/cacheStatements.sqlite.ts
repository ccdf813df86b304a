import type Sqlite from 'better-sqlite3'

/** More than the number of statement texts in the service; lists of values add one text per length. */
const CACHED_MAX = 512

/**
 * Makes a connection reuse the statement prepared earlier for the same text, for the 512 most recently used texts.
 *
 * It is meant for knex connections, because knex prepares every query again: parsing it and compiling the function
 * that builds its rows takes longer than most queries. Callers must run each statement to completion at once, as knex
 * does; a statement that is still being iterated would be busy for the next caller.
 */
export function cacheStatements(connection: Sqlite.Database): void {
  const prepare = connection.prepare.bind(connection)
  const cached = new Map<string, Sqlite.Statement>()
  connection.prepare = ((text: string) => {
    const statement = cached.get(text) ?? prepare(text)
    // Re-inserted at the end, so that the first entry of the map is the least recently used.
    cached.delete(text)
    cached.set(text, statement)
    if (cached.size > CACHED_MAX) cached.delete(cached.keys().next().value as string)
    return statement
  }) as Sqlite.Database['prepare']
}
