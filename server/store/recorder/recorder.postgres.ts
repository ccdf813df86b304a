import type { Client } from 'pg'
import { serviceUnavailable } from '../database/databaseFailure.ts'
import { openReconnectingClient } from '../database/reconnectingClient.postgres.ts'
import { commitGroup } from './commitGroup.postgres.ts'
import type { Recorder, RecordIntent } from './recorder.ts'

/** Most outcomes one transaction carries. Source: performance.md. */
const MAX_BATCH = 256
/** Bounds how long callers wait for locks of others, and for a slow server, before they are told to come again. */
const CONNECTION = { name: 'recorder', lockMs: 2_000, statementMs: 5_000 }
/** How often a group is tried that lost a deadlock to a use case. */
const TRIES_MAX = 4
/** SQLSTATE of what was surely undone and can pass when it is only tried again: serialisation and deadlock. */
const TRY_AGAIN = /^(40001|40P01)$/
/** SQLSTATE of values that the database refuses: data exceptions and violated constraints. */
const REFUSED_VALUE = /^2[23]/

type Waiting = {
  intent: RecordIntent<unknown>
  resolve(result: unknown): void
  reject(reason: unknown): void
}

/**
 * Group commit on the driver itself: the outcomes that came while the last group was committed are one transaction.
 *
 * One group at a time on one connection, so a burst of outcomes costs one sync and takes the log's lock once. Nobody is
 * answered before the server has said that the commit is on disk; a connection that breaks before that is a 503 for the
 * whole group, whatever became of it. A value that the database refuses is the failure of the outcome that brought it:
 * its group is committed again one by one.
 *
 * Source: performance.md; faults.md rows 5–8 and 14.
 */
export function createPostgresRecorder(url: string): Recorder {
  const connection = openReconnectingClient(url, CONNECTION)
  let queue: Waiting[] = []
  let running: Promise<void> | null = null
  let closed = false

  async function run(): Promise<void> {
    // The outcomes of one turn of the event loop arrive before the group of the first is made up.
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
      await commit(await connection.connect(), group)
    } catch (error) {
      if (group.length > 1 && REFUSED_VALUE.test(codeOf(error))) {
        for (const waiting of group) await settle([waiting])
      } else {
        for (const waiting of group) waiting.reject(serviceUnavailable(error))
      }
    }
  }

  async function commit(client: Client, group: readonly Waiting[], tries = 1): Promise<void> {
    try {
      const outcomes = await commitGroup(
        client,
        group.map(({ intent }) => intent),
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
        queue.push({ intent, resolve: resolve as (result: unknown) => void, reject })
        running ??= run()
      })
    },
    failure: () => null,
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
