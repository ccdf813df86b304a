import type { Knex } from 'knex'

/** A column with sealed values, and the columns that identify its rows. */
export type StoredColumn = { table: string; column: string; key: readonly string[] }

/** A sealed value and the row it is in; bytes if the column is binary. */
export type StoredValue = { key: string[]; value: string | Uint8Array }

export type SealedValueStore = ReturnType<typeof createSealedValueStore>

/** Reads and replaces sealed values of any column, for the rotation of the key they are sealed with. */
export function createSealedValueStore(query: Knex) {
  return {
    /** Reads the next values in the order of their keys; `after` is the key of the last one, or null at the beginning. */
    async page(
      { table, column, key }: StoredColumn,
      after: readonly string[] | null,
      limit: number,
    ): Promise<StoredValue[]> {
      const rows: Record<string, unknown>[] = await query(table)
        .select([...key, column])
        .whereNotNull(column)
        .modify((values) => {
          if (after !== null)
            values.whereRaw(`(${list(key, '??')}) > (${list(key, '?')})`, [...key, ...after])
        })
        .orderBy([...key])
        .limit(limit)
      return rows.map((row) => ({
        key: key.map((name) => String(row[name])),
        value: row[column] as StoredValue['value'],
      }))
    },

    /** Replaces a value; false if it is no longer the one that was read. */
    async replace(
      trx: Knex.Transaction,
      { table, column, key }: StoredColumn,
      { key: row, value }: StoredValue,
      replacement: StoredValue['value'],
    ): Promise<boolean> {
      const where = Object.fromEntries(key.map((name, i) => [name, row[i]]))
      const replaced = await trx(table)
        .where({ ...where, [column]: storable(value) })
        .update({ [column]: storable(replacement) })
      return replaced > 0
    },
  }
}

function list(key: readonly string[], placeholder: string): string {
  return key.map(() => placeholder).join(', ')
}

/** The drivers store only Node's own kind of bytes. */
function storable(value: StoredValue['value']): string | Buffer {
  return typeof value === 'string' ? value : Buffer.from(value)
}
