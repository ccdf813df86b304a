import type { Client } from 'pg'
import { codeOf } from '../database/codeOf.ts'
import {
  openReconnectingClient,
  type ReconnectingClient,
} from '../database/connections/reconnectingClient.postgres.ts'
import { serviceUnavailable } from '../database/databaseFailure.ts'
import { chooseFeatures, type DatabaseFeatures } from '../database/databaseFeatures.ts'
import { commitGroup } from './commitGroup.postgres.ts'
import { type Recorder, type RecordIntent, type TraceGroup, withTraceParent } from './recorder.ts'

/** Maximum number of outcomes per transaction. */
const MAX_BATCH = 256
/** Groups that one process commits at a time: while one waits for the disk, the next one is sent. */
const LANES = 2
/** Limits how long callers wait for locks, and for a slow server, before they receive a 503. */
const CONNECTION = { name: 'recorder', lockMs: 2_000, statementMs: 5_000 }
/** Maximum number of attempts for a group that lost a deadlock to a use case. */
const TRIES_MAX = 4
/** SQLSTATEs of failures that were rolled back and may succeed on a retry: serialisation failure and deadlock. */
const TRY_AGAIN = /^(40001|40P01)$/
/** SQLSTATEs of values that the database rejects: data exceptions and violated constraints. */
const REFUSED_VALUE = /^2[23]/
/** SQLSTATEs of insufficient resources, such as a full disk. Source: PostgreSQL 15 appendix A. */
const NO_ROOM = /^53/
/** How often a probe shows that there is room in a process that records nothing else, at 64 KiB each time. */
const ROOM_MS = 300_000

type Lane = { connection: ReconnectingClient; running: Promise<void> | null; size: number }

type Waiting = {
  intent: RecordIntent<unknown>
  resolve(result: unknown): void
  reject(reason: unknown): void
  origin: unknown
}

/**
 * Group commit with the driver directly: the outcomes that arrived during the last commit form one transaction.
 *
 * Each of two connections commits one group at a time. The second one begins when as many outcomes wait as the first one
 * commits, so groups stay as large as with one connection, and on a slow disk no outcome waits for the sync of those before.
 * Callers receive a response only after the server has confirmed that the commit is on disk. A connection that breaks
 * before that is a 503 for the whole group, whether or not it was stored. If the database rejects a value, the group is
 * committed again one outcome at a time, so that only the outcome with that value fails.
 */
export function createPostgresRecorder(
  url: string,
  {
    traceGroup,
    features = chooseFeatures(),
    clock = () => performance.now(),
  }: {
    traceGroup?: TraceGroup | undefined
    features?: Pick<DatabaseFeatures, 'locks' | 'commits'>
    /** Monotonic milliseconds. */
    clock?: () => number
  } = {},
): Recorder {
  const lanes = Array.from(
    { length: LANES },
    (): Lane => ({ connection: openReconnectingClient(url, CONNECTION), running: null, size: 0 }),
  )
  let queue: Waiting[] = []
  let closed = false
  let isFailing = false
  /** After a group found no room, only a probe that writes as much as decisions do shows that there is room again. */
  let isShortOfRoom = false
  let roomProbedAt = Number.NEGATIVE_INFINITY

  /** Decisions show themselves whether there is room, so a probe among them looks only after they found none. */
  function mustProbeRoom(group: readonly Waiting[]): boolean {
    const probes = group.filter(({ intent }) => intent.isProbe)
    if (isShortOfRoom) return probes.length > 0
    return probes.length === group.length && clock() - roomProbedAt >= ROOM_MS
  }

  /** Starts a free connection if none is busy, or if the queue is as long as the groups in progress. */
  function begin(): void {
    const free = lanes.find(({ running }) => running === null)
    const busy = lanes.find(({ running }) => running !== null)
    if (free !== undefined && (busy === undefined || (busy.size > 0 && queue.length >= busy.size)))
      free.running = run(free)
  }

  async function run(lane: Lane): Promise<void> {
    // All outcomes of one turn of the event loop arrive before the first group is formed.
    await new Promise(setImmediate)
    while (queue.length > 0) {
      const group = queue.length > MAX_BATCH ? queue.splice(0, MAX_BATCH) : queue
      if (group === queue) queue = []
      lane.size = group.length
      await settle(lane, group)
    }
    lane.size = 0
    lane.running = null
  }

  async function settle(lane: Lane, group: readonly Waiting[]): Promise<void> {
    const probesRoom = mustProbeRoom(group)
    try {
      const work = async () => commit(lane, await lane.connection.connect(), group, probesRoom)
      await (traceGroup?.run(
        group.map(({ origin }) => origin),
        work,
      ) ?? work())
    } catch (error) {
      if (group.length > 1 && REFUSED_VALUE.test(codeOf(error))) {
        for (const waiting of group) await settle(lane, [waiting])
      } else {
        isFailing = true
        isShortOfRoom ||= NO_ROOM.test(codeOf(error))
        for (const waiting of group) waiting.reject(serviceUnavailable(error))
      }
    }
  }

  async function commit(
    lane: Lane,
    client: Client,
    group: readonly Waiting[],
    probesRoom: boolean,
    tries = 1,
  ): Promise<void> {
    try {
      const outcomes = await commitGroup(
        client,
        group.map(({ intent }) => intent),
        features,
        probesRoom,
      )
      isFailing = false
      if (probesRoom) {
        isShortOfRoom = false
        roomProbedAt = clock()
      }
      for (const [i, outcome] of outcomes.entries()) {
        if ('error' in outcome) group[i]?.reject(outcome.error)
        else group[i]?.resolve(outcome.result)
      }
    } catch (error) {
      await lane.connection.rollBack(client)
      if (!TRY_AGAIN.test(codeOf(error)) || tries === TRIES_MAX) throw error
      await commit(lane, client, group, probesRoom, tries + 1)
    }
  }

  return {
    record<Result>(intent: RecordIntent<Result>): Promise<Result> {
      if (closed) return Promise.reject(serviceUnavailable('the recorder is closed'))
      return new Promise<Result>((resolve, reject) => {
        const origin = traceGroup?.origin()
        const traced = withTraceParent(intent, traceGroup)
        queue.push({ intent: traced, resolve: resolve as (result: unknown) => void, reject, origin })
        begin()
      })
    },
    failure: () => null,
    isFailing: () => isFailing || isShortOfRoom,
    hasUsed: () => false,
    async close() {
      closed = true
      await Promise.all(lanes.map(({ running }) => running))
      await Promise.all(lanes.map(({ connection }) => connection.close()))
    },
  }
}
