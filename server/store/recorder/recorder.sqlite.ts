import { serviceUnavailable } from '../database/databaseFailure.ts'
import { openSqlite } from '../database/openSqlite.ts'
import type { WriteLock } from '../database/writeLock.ts'
import type {
  ApprovalState,
  Commitment,
  CounterQuery,
  CounterValues,
  NewApproval,
  Recorder,
  RecordIntent,
} from './recorder.ts'
import { lostClaimError, sealUseCaseAnswer } from './recorder.ts'
import { prepareRecorderStatements, type RecorderStatements } from './recorderStatements.sqlite.ts'

/** Most outcomes one transaction carries; bounds how long the event loop is held. Source: performance.md. */
const MAX_BATCH = 256

/** How long a group waits in place for another connection's write lock, which holds up the whole process. */
const BUSY_MS = 2
/** After which it tries again; the process does other things meanwhile. */
const RETRY_MS = 10
/**
 * How long an outcome waits for the lock, besides its turn behind the use cases of this process; past it its caller is
 * refused and asks again. A checkpoint of ours has
 * it for as long as a sync takes, which a disk that others use can make seconds; a foreign writer for as long as it likes.
 */
const WAIT_MAX_MS = 3_000

type Waiting = {
  intent: RecordIntent<unknown>
  resolve(result: unknown): void
  reject(reason: unknown): void
  /** Monotonic milliseconds. */
  since: number
}

const NO_COUNTERS: CounterValues = {
  agentGrants: null,
  endpointGrants: null,
  agentSubAgents: null,
  endpointSubAgents: null,
  cumulativeSpend: null,
}

/**
 * Group commit on the driver itself: the outcomes of one event-loop turn are one transaction and one sync.
 *
 * The query builder costs more than the database here, and a timer would only add latency: the sync of one group is
 * the time in which the next one gathers. A failed sync means that nobody knows what is on disk, so the recorder
 * then stops for good and the service answers 503. Source: performance.md; faults.md rows 1–5.
 */
export function createSqliteRecorder(databaseFile: string, writeLock: WriteLock): Recorder {
  const database = openSqlite(databaseFile)
  database.pragma(`busy_timeout = ${BUSY_MS}`)
  const statements = prepareRecorderStatements(database)
  let queue: Waiting[] = []
  let scheduled = false
  let isBlocked = false
  let failure: string | null = null
  let closed = false

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    if (isBlocked) setTimeout(flushUnderLock, RETRY_MS)
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
    // Also what was waiting when the disk failed: nobody knows what a commit after that is worth.
    if (failure === null) commit(batch)
    else for (const waiting of batch) waiting.reject(serviceUnavailable(failure))
    if (queue.length > 0) schedule()
  }

  /** False when the lock is somebody else's: nothing has happened, and what may still wait is back in the queue. */
  function begin(batch: Waiting[]): boolean {
    try {
      statements.begin.run()
      isBlocked = false
      return true
    } catch (error) {
      if (!/^SQLITE_BUSY/.test((error as { code?: string }).code ?? '')) throw error
      const latest = performance.now() - WAIT_MAX_MS
      for (const waiting of batch) if (waiting.since < latest) waiting.reject(serviceUnavailable(error))
      queue = [...batch.filter(({ since }) => since >= latest), ...queue]
      isBlocked = true
      return false
    }
  }

  function commit(batch: Waiting[]): void {
    const decided: { waiting: Waiting; result: unknown }[] = []
    try {
      if (!begin(batch)) return
      let seq = readNextSeq(statements)
      for (const waiting of batch) {
        const commitment = decide(statements, waiting)
        if (!commitment) continue
        seq = write(statements, commitment, seq)
        decided.push({ waiting, result: commitment.result })
      }
      statements.commit.run()
    } catch (error) {
      failure ??= describeFatalError(error)
      if (database.inTransaction) rollBack(statements)
      statements.grants.reset()
      for (const waiting of batch) waiting.reject(serviceUnavailable(error))
      return
    }
    for (const { waiting, result } of decided) waiting.resolve(result)
  }

  return {
    record<Result>(intent: RecordIntent<Result>): Promise<Result> {
      if (failure !== null || closed)
        return Promise.reject(serviceUnavailable(failure ?? 'the recorder is closed'))
      return new Promise<Result>((resolve, reject) => {
        const since = performance.now()
        queue.push({ intent, resolve: resolve as (result: unknown) => void, reject, since })
        schedule()
      })
    },
    failure: () => failure,
    async close() {
      closed = true
      await writeLock.run(async () => {
        while (queue.length > 0) flush()
      })
      database.close()
    },
  }
}

/**
 * A decision that throws is a defect of that one request; the others of its group still commit. Its Idempotency-Key is
 * used up by what it writes: a refusal that writes nothing leaves the key free.
 */
function decide(statements: RecorderStatements, waiting: Waiting): Commitment<unknown> | null {
  try {
    const { counters, approval, claimId } = waiting.intent
    const commitment = waiting.intent.decide(
      counters === null ? NO_COUNTERS : readCounters(statements, counters),
      approval === null ? null : readApproval(statements, approval),
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

function readCounters(statements: RecorderStatements, query: CounterQuery): CounterValues {
  const { agentId, endpointId, since } = query
  const count = (row: unknown) => (row as { grants: number }).grants
  return {
    agentGrants: query.agentScope === null ? null : statements.grants.count(query.agentScope, since),
    endpointGrants: query.endpointScope === null ? null : statements.grants.count(query.endpointScope, since),
    agentSubAgents: query.countAgentSubAgents ? count(statements.agentSubAgents.get(agentId)) : null,
    endpointSubAgents: query.countEndpointSubAgents
      ? count(statements.endpointSubAgents.get(agentId, endpointId))
      : null,
    cumulativeSpend:
      query.spendPeriod === null
        ? null
        : ((statements.spend.get(endpointId, agentId, query.spendPeriod) as { total: string } | undefined)
            ?.total ?? '0'),
  }
}

function readApproval(
  statements: RecorderStatements,
  key: { agentId: string; attemptId: string },
): ApprovalState | null {
  const row = statements.approval.get(key.agentId, key.attemptId) as
    | (Omit<ApprovalState, 'dimensions' | 'hasFreshAssertion'> & {
        dimensions: string
        hasFreshAssertion: 0 | 1
      })
    | undefined
  if (row === undefined) return null
  return { ...row, dimensions: JSON.parse(row.dimensions), hasFreshAssertion: row.hasFreshAssertion === 1 }
}

function write(statements: RecorderStatements, commitment: Commitment<unknown>, firstSeq: number): number {
  let seq = firstSeq
  for (const record of commitment.records) {
    statements.insertRecord.run(
      seq,
      record.recordId,
      record.recordedAt,
      record.eventType,
      record.ownerId,
      record.counterpartyOwnerId,
      record.agentId,
      record.endpointId,
      record.sessionId,
      record.eventData,
      record.inputs,
      record.inputsSalt,
      record.entryOf(seq),
    )
    seq += 1
  }
  const { grants, spend, subAgent, newApproval, consumedApprovalId } = commitment
  for (const grant of grants) statements.grants.add(grant)
  if (spend) statements.setSpend.run(spend.endpointId, spend.agentId, spend.period, spend.total)
  if (subAgent) {
    statements.insertSubAgent.run(subAgent.agentId, firstSeq, subAgent.endpointId, subAgent.grantedAt)
  }
  if (newApproval) insertApproval(statements, newApproval)
  if (consumedApprovalId)
    statements.consumeApproval.run(commitment.records[0]?.recordedAt, consumedApprovalId)
  return seq
}

function insertApproval(statements: RecorderStatements, approval: NewApproval): void {
  statements.supersedeApproval.run(approval.createdAt, approval.agentId, approval.attemptId)
  statements.insertApproval.run(
    approval.id,
    approval.agentId,
    approval.ownerId,
    approval.counterpartyOwnerId,
    approval.endpointId,
    approval.apiKeyId,
    approval.attemptId,
    approval.requestHash,
    approval.request,
    JSON.stringify(approval.dimensions),
    approval.needsFreshAssertion ? 1 : 0,
    approval.challengeSalt,
    approval.createdAt,
    approval.expiresAt,
  )
}

function rollBack(statements: RecorderStatements): void {
  try {
    statements.rollback.run()
  } catch {
    // SQLite rolls back by itself on the errors that matter; the first error is the one to report.
  }
}

/** Busy and full pass by themselves; anything the disk says is final until a person has looked. */
function describeFatalError(error: unknown): string | null {
  const code = (error as { code?: string }).code ?? ''
  const final = /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN)/.test(code)
  return final ? `the database failed to write (${code}); restart after checking the disk` : null
}
