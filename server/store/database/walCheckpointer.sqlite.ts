import { openSqlite } from './openSqlite.ts'

/** Not yet copied bytes from which a passive checkpoint is worth its syncs. */
const PASSIVE_FROM_BYTES = 8 * 1024 * 1024
/** Size of the write-ahead log from which writers are made to wait, once and shortly, so that it starts over in place. */
const RESTART_FROM_BYTES = 32 * 1024 * 1024
/** Size from which its disk space is given back besides; only a long reader lets it grow so far. */
const TRUNCATE_FROM_BYTES = 256 * 1024 * 1024
/**
 * A passive checkpoint that takes longer tells of a disk that is busy, on which a sync under the write lock would make all
 * writers wait as long; the log grows instead until the disk is quick again, or the log too long.
 */
const QUICK_MS = 250
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
 * So past a size the rest, small after the passive one, is copied under the write lock, and the log starts over in the
 * file it has: a sync of pages that are written over costs less than one of a file that grows. A long reader ends the
 * attempt after 10 ms, because the writers wait meanwhile. Source: performance.md; SQLite "Write-Ahead Logging".
 */
export function createWalCheckpointer(
  file: string,
  from: { passiveBytes: number; restartBytes?: number; truncateBytes: number } = {
    passiveBytes: PASSIVE_FROM_BYTES,
    restartBytes: RESTART_FROM_BYTES,
    truncateBytes: TRUNCATE_FROM_BYTES,
  },
): WalCheckpointer {
  const database = openSqlite(file)
  database.pragma(`busy_timeout = ${PATIENCE_MS}`)
  const pageBytes = database.pragma('page_size', { simple: true }) as number
  const checkpoint = (mode: 'NOOP' | 'PASSIVE' | 'RESTART' | 'TRUNCATE') =>
    (database.pragma(`wal_checkpoint(${mode})`) as WalState[])[0] ?? { busy: 1, log: 0, checkpointed: 0 }
  /** Length in pages at which the log was last started over: it reads so until somebody writes again. */
  let restartedAt = -1
  return {
    run() {
      let state = checkpoint('NOOP')
      if ((state.log - state.checkpointed) * pageBytes >= from.passiveBytes) state = checkpoint('PASSIVE')
      const bytes = state.log * pageBytes
      if (bytes >= from.truncateBytes) {
        checkpoint('PASSIVE')
        state = checkpoint('TRUNCATE')
      } else if (bytes >= (from.restartBytes ?? from.truncateBytes) && state.log !== restartedAt) {
        checkpoint('PASSIVE')
        // Once more, with little to copy, for its time: it is what the lock would be held for.
        const begun = performance.now()
        checkpoint('PASSIVE')
        if (performance.now() - begun > QUICK_MS) return bytes
        state = checkpoint('RESTART')
        if (state.busy === 0) restartedAt = state.log
      }
      return Math.max(0, state.log) * pageBytes
    },
    close: () => void database.close(),
  }
}
