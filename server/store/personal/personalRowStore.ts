import type { Knex } from 'knex'
import { EXPORTED_TABLES, type ExportedTable } from './exportedTables.ts'
import type { Person } from './person.ts'
import { PERSONAL_TABLES } from './personalTables.ts'

type TableName = keyof typeof PERSONAL_TABLES

/** The last row of a page: the values of its key. */
export type RowKey = readonly (string | number)[]

/** Columns with JSON text. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  ...['amr', 'transports', 'registration', 'model', 'framework', 'protocols', 'declarations', 'pdlss'],
  ...['approval_rules', 'certifications', 'required_facts', 'authorities', 'routes', 'jwk'],
  ...['allowed_purposes', 'request', 'dimensions', 'data'],
])
/** Columns with times in epoch milliseconds. */
const TIME_COLUMN = /^at$|_at$|^valid_from$/

export type PersonalRowStore = ReturnType<typeof createPersonalRowStore>

/** Reads what the service stores of a person, with the columns of the export only. */
export function createPersonalRowStore(query: Knex) {
  return {
    tables: EXPORTED_TABLES,

    /** Reads the next rows of a person in one table, as they are exported, and the key of the last; null at the end. */
    async page(
      table: TableName,
      person: Person,
      { after, limit }: { after: RowKey | null; limit: number },
    ): Promise<{ rows: object[]; last: RowKey | null }> {
      const spec: ExportedTable | { no: string } = EXPORTED_TABLES[table]
      if ('no' in spec) return { rows: [], last: null }
      const { columns, key } = spec
      const rows = (spec.rows ?? PERSONAL_TABLES[table].rows)(query, person)
        .select(
          Object.fromEntries([
            ...columns.map((column) => [column, column]),
            ...key.map((column, i) => [`key${i}`, column]),
          ]),
        )
        .orderBy(key.map((column) => ({ column })))
        .limit(limit)
      if (after !== null) rows.whereRaw(`(${marks('??', key)}) > (${marks('?', key)})`, [...key, ...after])
      const found: Record<string, unknown>[] = await rows
      const last = found.length < limit ? undefined : found.at(-1)
      return {
        rows: found.map((row) => Object.fromEntries(columns.map((column) => showCell(column, row[column])))),
        last: last === undefined ? null : key.map((_, i) => last[`key${i}`] as string | number),
      }
    },
  }
}

function marks(mark: string, key: readonly string[]): string {
  return key.map(() => mark).join(', ')
}

/** Returns the member for a column: in camel case, with times in ISO 8601 and JSON parsed. */
function showCell(column: string, value: unknown): [string, unknown] {
  const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  if (value === null || value === undefined) return [name, null]
  if (TIME_COLUMN.test(column)) return [name, new Date(Number(value)).toISOString()]
  if (JSON_COLUMNS.has(column) && typeof value === 'string') return [name, JSON.parse(value)]
  return [name, value]
}
