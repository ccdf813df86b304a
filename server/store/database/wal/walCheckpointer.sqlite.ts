import { openSqlite } from '../openSqlite.ts'

/** Number of uncopied bytes from which a passive checkpoint is worth its syncs. */
const PASSIVE_FROM_BYTES = 8 * 1024 * 1024
/** Size of the write-ahead log from which writers have to wait briefly, so that the log restarts in place. */
const RESTART_FROM_BYTES = 32 * 1024 * 1024
/** Size from which its disk space is also released; the log grows this far only during long reads. */
const TRUNCATE_FROM_BYTES = 256 * 1024 * 1024
/**
 * A passive checkpoint that takes longer indicates a busy disk, on which a sync under the write lock would block all
 * writers as long. The log then grows until the disk is faster or the log reaches the truncation size.
 */
const FAST_MS = 250
/** A checkpoint that cannot get its turn within this time gives up; the next run retries. */
const BUSY_MS = 10

type WalState = { busy: number; log: number; checkpointed: number }

/** Keeps the write-ahead log of a file short. */
export type WalCheckpointer = {
  /** Checkpoints the log if it is long, and returns its size in bytes. */
  run(): number
  close(): void
}

/**
 * Checkpoints one SQLite file from a thread that nobody waits for; inline, checkpoints would determine the p99 of
 * verify-access.
 *
 * A passive checkpoint never blocks a writer, but under constant writes it never lets the log restart either. Past a
 * certain size, the remaining pages, which are few after the passive checkpoint, are copied under the write lock, and
 * the log restarts in the same file: syncing overwritten pages costs less than syncing a growing file. A long read
 * aborts the attempt after 10 ms, because writers wait meanwhile. Source: SQLite "Write-Ahead Logging".
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
  database.pragma(`busy_timeout = ${BUSY_MS}`)
  const pageBytes = database.pragma('page_size', { simple: true }) as number
  const checkpoint = (mode: 'NOOP' | 'PASSIVE' | 'RESTART' | 'TRUNCATE') =>
    (database.pragma(`wal_checkpoint(${mode})`) as WalState[])[0] ?? { busy: 1, log: 0, checkpointed: 0 }
  /** Length of the log in pages when it was last restarted; it reads the same until the next write. */
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
        // A second pass with little to copy, to measure how long the lock would be held.
        const startedAt = performance.now()
        checkpoint('PASSIVE')
        if (performance.now() - startedAt > FAST_MS) return bytes
        state = checkpoint('RESTART')
        if (state.busy === 0) restartedAt = state.log
      }
      return Math.max(0, state.log) * pageBytes
    },
    close: () => void database.close(),
  }
}
