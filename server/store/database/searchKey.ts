import type { Knex } from 'knex'
import { isPostgres } from './knexSettings.ts'

/** Greater than every character, in bytes too. */
const LAST = '\u{10FFFF}'

/**
 * The SQL expression by which a text is searched: its ASCII letters in lower case, compared byte by byte, because the
 * databases know the lower case and the order of different alphabets. Migration 0084 has an index on each that is used.
 */
export function searchKeyOf(query: Knex, column: string): string {
  return isPostgres(query) ? `lower(${column} COLLATE "C")` : `lower(${column})`
}

/** Restricts rows to those whose column begins with a text, regardless of the case of ASCII letters. */
export function whereBeginsWith(query: Knex, rows: Knex.QueryBuilder, column: string, text: string): void {
  const key = searchKeyOf(query, column)
  const first = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  rows.whereRaw(`${key} >= ? AND ${key} < ?`, [first, first + LAST])
}
