import { codeOf } from '../database/codeOf.ts'
import { isLockedElsewhere, serviceUnavailable } from '../database/databaseFailure.ts'
import type { WriteLock } from '../database/locks/writeLock.ts'
import { openSqlite } from '../database/openSqlite.ts'
import { openWalSyncs, type WalSyncs } from '../database/wal/walSyncs.sqlite.ts'
import { readApproval, readCounters, readEarlierUses } from './outcomeFacts.sqlite.ts'
import { writeOrigins, writeOutcome } from './outcomeWrites.sqlite.ts'
import type { Commitment, Recorder, RecordIntent, TraceGroup } from './recorder.ts'
import { lostClaimError, NO_COUNTERS, NO_USES, sealUseCaseAnswer, withTraceParent } from './recorder.ts'
import { prepareRecorderStatements, type RecorderStatements } from './recorderStatements.sqlite.ts'

/** Maximum number of outcomes per transaction, which limits how long the event loop is blocked. */
const MAX_BATCH = 256
/** From this number on, outcomes are committed while another group is being synced; fewer wait until that is done. */
const WORTH_A_COMMIT = 32

/** How long a group waits synchronously for another connection’s write lock, which blocks the whole process. */
const BUSY_MS = 2
/** Delay before the next attempt, during which the process does other work. */
const RETRY_MS = 10
/**
 * How long an outcome waits for the lock, in addition to its turn behind the use cases of this process, before its caller
 * receives a 503. Our own checkpoints hold the lock for one sync, which takes seconds on a busy disk; another program may
 * hold it for any time.
 */
const WAIT_MAX_MS = 3_000

type Waiting = {
  intent: RecordIntent<unknown>
  resolve(result: unknown): void
  reject(reason: unknown): void
  /** Monotonic milliseconds. */
  since: number
  origin: unknown
}

type Decided = { waiting: Waiting; result: unknown }

export type SqliteRecorderOptions = {
  traceGroup?: TraceGroup | undefined
  /** Opens what syncs commits to the disk; by default a thread. */
  openSyncs?: (databaseFile: string) => WalSyncs
}

/**
 * Group commit with the driver directly: the outcomes of one event-loop turn form one transaction, and are answered after
 * one sync.
 *
 * The query builder would cost more than the database, and a timer would only add latency, because the next group gathers
 * during the sync of the last one. The commit itself does not sync, so that the process parses and checks other requests
 * meanwhile: what others read may therefore be lost by a power failure in the next milliseconds, but nothing that was
 * answered. After a failed sync, the content of the disk is unknown; the recorder then stops permanently and the service
 * answers 503.
 */
export function createSqliteRecorder(
  databaseFile: string,
  writeLock: WriteLock,
  { traceGroup, openSyncs = openWalSyncs }: SqliteRecorderOptions = {},
): Recorder {
  const database = openSqlite(databaseFile)
  database.pragma('synchronous = NORMAL')
  const syncs = openSyncs(databaseFile)
  database.pragma(`busy_timeout = ${BUSY_MS}`)
  const statements = prepareRecorderStatements(database)
  let queue: Waiting[] = []
  let scheduled = false
  /** Groups that are committed and not yet answered. */
  let unsynced = 0
  let failure: string | null = null
  let isFailing = false
  let closed = false

  function schedule(): void {
    if (scheduled || (unsynced > 0 && queue.length < WORTH_A_COMMIT)) return
    scheduled = true
    if (writeLock.isRefused()) setTimeout(flushUnderLock, RETRY_MS)
    else setImmediate(flushUnderLock)
  }

  function flushUnderLock(): void {
    if (writeLock.isFree()) flush()
    else writeLock.run(async () => flush()).catch(() => undefined)
  }

  function flush(): void {
    scheduled = false
    const batch = queue.length > MAX_BATCH ? queue.splice(0, MAX_BATCH) : queue
    if (batch === queue) queue = []
    if (batch.length === 0) return
    // Also outcomes that were waiting when the disk failed: a later commit proves nothing about what is on disk.
    const origins = () => batch.map(({ origin }) => origin)
    if (failure !== null) for (const waiting of batch) waiting.reject(serviceUnavailable(failure))
    else if (traceGroup) traceGroup.run(origins(), () => commit(batch))
    else commit(batch)
    if (queue.length > 0) schedule()
  }

  /**
   * False if another connection holds the lock: nothing has happened, and outcomes that may still wait are back in the
   * queue.
   */
  function begin(batch: Waiting[]): boolean {
    try {
      statements.begin.run()
      writeLock.report(false)
      return true
    } catch (error) {
      if (!isLockedElsewhere(error)) throw error
      writeLock.report(true)
      const latest = performance.now() - WAIT_MAX_MS
      const late = batch.filter(({ since }) => since < latest)
      isFailing ||= late.length > 0
      for (const waiting of late) waiting.reject(serviceUnavailable(error))
      queue = [...batch.filter(({ since }) => since >= latest), ...queue]
      return false
    }
  }

  /** Resolves when the group is answered. */
  function commit(batch: Waiting[]): Promise<void> | undefined {
    try {
      const decided = write(batch)
      return decided === null ? undefined : answerAfterSync(decided)
    } catch (error) {
      if (database.inTransaction) rollBack(statements)
      statements.grants.reset()
      refuse(batch, error)
      return undefined
    }
  }

  /** Null if another connection holds the lock. */
  function write(batch: Waiting[]): Decided[] | null {
    if (!begin(batch)) return null
    const decided: Decided[] = []
    let seq = readNextSeq(statements)
    for (const waiting of batch) {
      const commitment = decide(statements, waiting)
      if (!commitment) continue
      seq = writeOutcome(statements, commitment, seq)
      const { traceParent } = waiting.intent
      if (traceParent !== undefined) writeOrigins(statements, commitment, traceParent)
      decided.push({ waiting, result: commitment.result })
    }
    if (batch.some(({ intent }) => intent.isProbe)) statements.touch.run()
    statements.commit.run()
    return decided
  }

  async function answerAfterSync(decided: Decided[]): Promise<void> {
    unsynced += 1
    try {
      await syncs.sync()
      // What a sync covered that succeeds after a failed one is unknown.
      if (failure !== null) throw new Error(failure)
      isFailing = false
      for (const { waiting, result } of decided) waiting.resolve(result)
    } catch (error) {
      failure ??= `the disk failed to sync (${codeOf(error)}); restart after checking the disk`
      refuse(
        decided.map(({ waiting }) => waiting),
        error,
      )
    }
    unsynced -= 1
    // Before the answers are written, so that the disk is busy meanwhile.
    if (queue.length > 0 && !scheduled) flushUnderLock()
  }

  function refuse(batch: readonly Waiting[], error: unknown): void {
    isFailing = true
    failure ??= describeFatalError(error)
    for (const waiting of batch) waiting.reject(serviceUnavailable(error))
  }

  return {
    record<Result>(intent: RecordIntent<Result>): Promise<Result> {
      if (failure !== null || closed)
        return Promise.reject(serviceUnavailable(failure ?? 'the recorder is closed'))
      return new Promise<Result>((resolve, reject) => {
        const since = performance.now()
        const origin = traceGroup?.origin()
        const traced = withTraceParent(intent, traceGroup)
        queue.push({ intent: traced, resolve: resolve as (result: unknown) => void, reject, since, origin })
        schedule()
      })
    },
    failure: () => failure,
    isFailing: () => isFailing || writeLock.isRefused(),
    hasUsed: statements.proofs.isRecent,
    async close() {
      closed = true
      await writeLock.run(async () => {
        while (queue.length > 0) flush()
      })
      // Whoever waits for the last sync gets its failure directly.
      if (unsynced > 0) await syncs.sync().catch(() => undefined)
      await syncs.close()
      database.close()
    },
  }
}

/**
 * A decision that throws is a defect of that request only; the others of its group still commit. Its Idempotency-Key is
 * used up only by writes: a denial that writes nothing leaves the key unused.
 */
function decide(statements: RecorderStatements, waiting: Waiting): Commitment<unknown> | null {
  try {
    const { counters, approval, proofs, claimId } = waiting.intent
    const commitment = waiting.intent.decide(
      counters === null ? NO_COUNTERS : readCounters(statements, counters),
      approval === null ? null : readApproval(statements, approval),
      proofs === undefined ? NO_USES : readEarlierUses(statements, proofs),
    )
    const isMarked = claimId !== undefined && commitment.records.length > 0
    if (
      isMarked &&
      statements.markClaim.run(sealUseCaseAnswer(waiting.intent, commitment), claimId).changes === 0
    )
      throw lostClaimError()
    return commitment
  } catch (error) {
    waiting.reject(error)
    return null
  }
}

function readNextSeq(statements: RecorderStatements): number {
  const last = statements.lastSeq.get() as { seq: number } | undefined
  return last === undefined ? 0 : last.seq + 1
}

function rollBack(statements: RecorderStatements): void {
  try {
    statements.rollback.run()
  } catch {
    // SQLite itself rolls back on serious errors; the first error is the one to report.
  }
}

/** Busy and full are transient; any other disk error is final until an operator has examined the disk. */
function describeFatalError(error: unknown): string | null {
  const code = codeOf(error)
  const final = /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN)/.test(code)
  return final ? `the database failed to write (${code}); restart after checking the disk` : null
}
