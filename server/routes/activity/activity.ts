import { activityOperations } from '@svc/core/contract/activity.ts'
import { z } from 'zod'
import { validationError } from '../../errors.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type CountActivityDeps, countActivity } from '../../services/activity/countActivity.ts'
import type { ActivityStream, StreamItem } from '../../services/activity/followActivity.ts'
import { type FollowActivityDeps, followActivity } from '../../services/activity/followActivity.ts'
import { type ListActivityDeps, listActivity } from '../../services/activity/listActivity.ts'
import { actsForOf } from '../../services/actsForOf.ts'
import type { Principal } from '../../services/principal.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'
import { activityQuery, type ReadActivityQueryDeps } from './activityQuery.ts'

/** Source: `Spec: Activity event`. */
export const getActivity = operation({
  summary:
    'Lists the events to which the caller’s account is a party, newest first or, with `order=oldest`, oldest first. With `perPurchase=true`, only the first event of each purchase is listed, with what the purchase came to; `purchase` lists its events. With a filter, a page may be short or empty although `hasMore` is true.',
  query: { ...activityQuery.shape, ...activityQuery.listShape, ...PAGE_QUERY },
  answer: activityOperations['GET /api/activity'].answer,
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { activity: ListActivityDeps & ReadActivityQueryDeps }) => async (call) => {
    const { limit, before: cursor } = readPage(call.query)
    const filter = await activityQuery.readList(parts.activity, call.query)
    const actsFor = actsForOf(call.principal)
    return { body: writePage(await listActivity(parts.activity, { ...filter, actsFor, limit, cursor })) }
  },
})

const HOURS_MAX = 31 * 24

const querySchema = z.object({ hours: z.coerce.number().int().min(1).max(HOURS_MAX).default(24) })

/** The data of the dashboard's charts. */
export const getActivityCounts = operation({
  summary: 'Counts the events to which the caller’s account is a party, by hour and type.',
  query: querySchema.shape,
  answer: activityOperations['GET /api/activity/counts'].answer,
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { activity: CountActivityDeps }) => async (call) => {
    const { hours } = parseInput(querySchema, Object.fromEntries(call.query))
    const actsFor = actsForOf(call.principal)
    return {
      body: { success: true, ...(await countActivity(parts.activity, { actsFor, hours, now: call.now })) },
    }
  },
})

/** How long a client may leave sent data unread before the stream ends. */
const STALL_MS = 30_000
/** How long a client waits before it reconnects. */
const RETRY_MS = 3_000

/**
 * Server-sent events: `id` is the sequence number of the event's record, `event` its type, and `data` its JSON as in the
 * list. A client that reconnects with `Last-Event-ID` continues after that event.
 *
 * Source: HTML "Server-sent events".
 */
export const getActivityStream = operation({
  summary: 'Streams the events to which the caller’s account is a party, as they happen.',
  query: activityQuery.shape,
  mediaType: 'text/event-stream',
  answer: activityOperations['GET /api/activity/stream'].answer,
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { activity: FollowActivityDeps & ReadActivityQueryDeps }) => async (call) => {
    const filter = await activityQuery.read(parts.activity, call.query)
    const follow = await followActivity(parts.activity, {
      principal: call.principal,
      holder: holderOf(call.principal),
      filter,
      afterSeq: parseLastEventId(call.header('last-event-id')),
      refresh: call.refresh,
    })
    return {
      contentType: 'text/event-stream; charset=utf-8',
      // A proxy that buffers the response would hold the events back.
      headers: { 'X-Accel-Buffering': 'no' },
      body: null,
      stream: { stallMs: STALL_MS, chunks: (signal) => messages(follow, signal) },
    }
  },
})

function holderOf(principal: Principal): string {
  if (principal.kind === 'apiKey') return principal.keyId
  if (principal.kind === 'session') return principal.userId
  throw new Error(`expected a caller with an account, got ${principal.kind}`)
}

/** @throws ApiError VALIDATION_ERROR for an id that this stream never sent. */
function parseLastEventId(lastEventId: string | undefined): number | null {
  if (lastEventId === undefined || lastEventId === '') return null
  if (/^-1$|^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  const message = 'expected the id of an event of this stream'
  throw validationError([{ pointer: '/Last-Event-ID', code: 'invalid_value', message }])
}

async function* messages(follow: ActivityStream, signal: AbortSignal): AsyncGenerator<string> {
  // Sent together with the first item: a client that is gone reads only one chunk, and the stream releases its slot only
  // after it has started.
  let head = `retry: ${RETRY_MS}\n\n`
  for await (const item of follow(signal)) {
    yield head + messageOf(item)
    head = ''
  }
}

function messageOf(item: StreamItem): string {
  switch (item.kind) {
    case 'events':
      return item.events
        .map(({ seq, event }) => `id: ${seq}\nevent: ${event.eventType}\ndata: ${JSON.stringify(event)}\n\n`)
        .join('')
    case 'place':
      return `id: ${item.seq}\n\n`
    case 'heartbeat':
      return ': alive\n\n'
  }
}
