import type Sqlite from 'better-sqlite3'

/** More than the service has texts of statements; lists of values make others, one for each length. */
const KEPT = 512

/**
 * Lets a connection give out again the statement that it prepared for the same text before, of the last 512 texts.
 *
 * For a connection of knex, which prepares each query anew: parsing it, and compiling the function that makes its rows,
 * takes longer than most queries. Whoever runs statements on such a connection runs each to its end at once, as knex
 * does; one that is still being stepped through would be busy for the next caller.
 */
export function cacheStatements(connection: Sqlite.Database): void {
  const prepareAnew = connection.prepare.bind(connection)
  const kept = new Map<string, Sqlite.Statement>()
  connection.prepare = ((text: string) => {
    const statement = kept.get(text) ?? prepareAnew(text)
    // Put at the end again: the first of the map is what was used longest ago.
    kept.delete(text)
    kept.set(text, statement)
    if (kept.size > KEPT) kept.delete(kept.keys().next().value as string)
    return statement
  }) as Sqlite.Database['prepare']
}
