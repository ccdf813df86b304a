import { openSqlite } from './openSqlite.ts'

/** Not yet copied bytes from which a passive checkpoint is worth its syncs. */
const PASSIVE_FROM_BYTES = 8 * 1024 * 1024
/** Size of the write-ahead log from which writers are made to wait, once and shortly, so that it starts over. */
const TRUNCATE_FROM_BYTES = 256 * 1024 * 1024
/** A truncation that does not get its turn in this time gives up; the next look tries again. */
const PATIENCE_MS = 10

type WalState = { busy: number; log: number; checkpointed: number }

/** Keeps the write-ahead log of one file short. */
export type WalCheckpointer = {
  /** Looks at the log and copies it into the file when it is long; answers the log's size in bytes. */
  run(): number
  close(): void
}

/**
 * Checkpoints of one SQLite file, from a thread that nobody waits for: inline they are the p99 of verify-access.
 *
 * A passive checkpoint never holds up a writer, but while writers never rest it also never lets the log start over.
 * So past a cap the rest, small after the passive one, is copied under the write lock; a long reader ends the
 * attempt after 10 ms, because the writers wait meanwhile. Source: performance.md; SQLite "Write-Ahead Logging".
 */
export function createWalCheckpointer(
  file: string,
  from: { passiveBytes: number; truncateBytes: number } = {
    passiveBytes: PASSIVE_FROM_BYTES,
    truncateBytes: TRUNCATE_FROM_BYTES,
  },
): WalCheckpointer {
  const database = openSqlite(file)
  database.pragma(`busy_timeout = ${PATIENCE_MS}`)
  const pageBytes = database.pragma('page_size', { simple: true }) as number
  const checkpoint = (mode: 'NOOP' | 'PASSIVE' | 'TRUNCATE') =>
    (database.pragma(`wal_checkpoint(${mode})`) as WalState[])[0] ?? { busy: 1, log: 0, checkpointed: 0 }
  return {
    run() {
      let state = checkpoint('NOOP')
      if ((state.log - state.checkpointed) * pageBytes >= from.passiveBytes) state = checkpoint('PASSIVE')
      if (state.log * pageBytes >= from.truncateBytes) state = checkpoint('TRUNCATE')
      return Math.max(0, state.log) * pageBytes
    },
    close: () => void database.close(),
  }
}
