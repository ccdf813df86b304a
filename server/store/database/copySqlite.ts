import Database from 'better-sqlite3'

/** As many pages as there are: all of them in one step. */
const ALL_PAGES = 0x7fffffff

/**
 * Copies a database that others are writing to, as it is at one moment, into a new file.
 *
 * In one step, because a backup in several begins anew whenever another process has written in between, and would
 * never end under load. Writers go on meanwhile; their log is not shortened until the copy is done. The copy is one
 * file, without a write-ahead log beside it.
 *
 * @throws Error when the copy is not a whole database.
 * Source: SQLite "Online Backup API".
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  const source = new Database(from, { fileMustExist: true, timeout: 5000 })
  try {
    await source.backup(to, { progress: () => ALL_PAGES })
  } finally {
    source.close()
  }
  const copy = new Database(to, { fileMustExist: true })
  try {
    copy.pragma('journal_mode = DELETE')
    const found = copy.pragma('quick_check(1)', { simple: true })
    if (found !== 'ok') throw new Error(`${from} is damaged: ${found}`)
  } finally {
    copy.close()
  }
}
