import type { Client } from 'pg'
import { serviceUnavailable } from '../database/databaseFailure.ts'
import { advisoryLocks } from '../database/locks.advisory.ts'
import type { Locks } from '../database/locks.ts'
import { openReconnectingClient } from '../database/reconnectingClient.postgres.ts'
import { commitGroup } from './commitGroup.postgres.ts'
import type { Recorder, RecordIntent, TraceGroup } from './recorder.ts'

/** Maximum number of outcomes per transaction. */
const MAX_BATCH = 256
/** Limits how long callers wait for locks, and for a slow server, before they receive a 503. */
const CONNECTION = { name: 'recorder', lockMs: 2_000, statementMs: 5_000 }
/** Maximum number of attempts for a group that lost a deadlock to a use case. */
const TRIES_MAX = 4
/** SQLSTATEs of failures that were rolled back and may succeed on a retry: serialisation failure and deadlock. */
const TRY_AGAIN = /^(40001|40P01)$/
/** SQLSTATEs of values that the database rejects: data exceptions and violated constraints. */
const REFUSED_VALUE = /^2[23]/

type Waiting = {
  intent: RecordIntent<unknown>
  resolve(result: unknown): void
  reject(reason: unknown): void
  origin: unknown
}

/**
 * Group commit with the driver directly: the outcomes that arrived during the last commit form one transaction.
 *
 * One connection commits one group at a time, so a burst of outcomes costs one sync.
 * Callers receive a response only after the server has confirmed that the commit is on disk. A connection that breaks
 * before that is a 503 for the whole group, whether or not it was stored. If the database rejects a value, the group is
 * committed again one outcome at a time, so that only the outcome with that value fails.
 */
export function createPostgresRecorder(
  url: string,
  { traceGroup, locks = advisoryLocks }: { traceGroup?: TraceGroup | undefined; locks?: Locks } = {},
): Recorder {
  const connection = openReconnectingClient(url, CONNECTION)
  let queue: Waiting[] = []
  let running: Promise<void> | null = null
  let closed = false
  let isFailing = false

  async function run(): Promise<void> {
    // All outcomes of one turn of the event loop arrive before the first group is formed.
    await new Promise(setImmediate)
    while (queue.length > 0) {
      const group = queue.length > MAX_BATCH ? queue.splice(0, MAX_BATCH) : queue
      if (group === queue) queue = []
      await settle(group)
    }
    running = null
  }

  async function settle(group: readonly Waiting[]): Promise<void> {
    try {
      const work = async () => commit(await connection.connect(), group)
      await (traceGroup?.run(
        group.map(({ origin }) => origin),
        work,
      ) ?? work())
      isFailing = false
    } catch (error) {
      if (group.length > 1 && REFUSED_VALUE.test(codeOf(error))) {
        for (const waiting of group) await settle([waiting])
      } else {
        isFailing = true
        for (const waiting of group) waiting.reject(serviceUnavailable(error))
      }
    }
  }

  async function commit(client: Client, group: readonly Waiting[], tries = 1): Promise<void> {
    try {
      const outcomes = await commitGroup(
        client,
        group.map(({ intent }) => intent),
        locks,
      )
      for (const [i, outcome] of outcomes.entries()) {
        if ('error' in outcome) group[i]?.reject(outcome.error)
        else group[i]?.resolve(outcome.result)
      }
    } catch (error) {
      await connection.rollBack(client)
      if (!TRY_AGAIN.test(codeOf(error)) || tries === TRIES_MAX) throw error
      await commit(client, group, tries + 1)
    }
  }

  return {
    record<Result>(intent: RecordIntent<Result>): Promise<Result> {
      if (closed) return Promise.reject(serviceUnavailable('the recorder is closed'))
      return new Promise<Result>((resolve, reject) => {
        const origin = traceGroup?.origin()
        queue.push({ intent, resolve: resolve as (result: unknown) => void, reject, origin })
        running ??= run()
      })
    },
    failure: () => null,
    isFailing: () => isFailing,
    async close() {
      closed = true
      await running
      await connection.close()
    },
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code)
}
