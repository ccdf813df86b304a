import Database from 'better-sqlite3'

/** At least as many pages as exist, so that the backup copies all of them in one step. */
const ALL_PAGES = 0x7fffffff

/**
 * Copies a database into a new file, consistently and while others write to it.
 *
 * The backup runs in one step: a backup in several steps restarts whenever another process writes in between, and
 * would never finish under load. Writers continue meanwhile, but their write-ahead log is not truncated until the copy
 * is done. The copy is a single file without a write-ahead log.
 *
 * @throws Error if the copy is not an intact database.
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
