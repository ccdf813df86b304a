import { z } from 'zod'
import { validationError } from '../errors.ts'
import type { ActivityStream, StreamItem } from '../services/activity/followActivity.ts'
import type { Principal } from '../services/principal.ts'
import { activityQuery } from './activityQuery.ts'
import type { Operation } from './operation.ts'

/** How long a reader may leave what was sent to it. */
const STALL_MS = 30_000
/** How long a client waits before it comes again, in milliseconds. */
const RETRY_MS = 3_000

/**
 * Server-sent events: `id` is the event's place in the log, `event` its type and `data` what the list shows of it; a
 * client that comes again with `Last-Event-ID` goes on where it was.
 *
 * Source: api.md "Approvals, activity, audit"; HTML "Server-sent events".
 */
export const getActivityStream: Operation = {
  summary: 'Streams the events of which the caller’s account is a party as they happen.',
  query: activityQuery.shape,
  mediaType: 'text/event-stream',
  answer: z.string(),
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const filter = await activityQuery.read(services, call.query)
    const follow = await services.activity.follow({
      principal: call.principal,
      holder: holderOf(call.principal),
      filter,
      afterSeq: placeOf(call.header('last-event-id')),
      refresh: call.refresh,
    })
    return {
      contentType: 'text/event-stream; charset=utf-8',
      // Proxies that gather an answer before they pass it on would hold the events back.
      headers: { 'X-Accel-Buffering': 'no' },
      body: null,
      stream: { stallMs: STALL_MS, chunks: (signal) => messages(follow, signal) },
    }
  },
}

function holderOf(principal: Principal): string {
  if (principal.kind === 'apiKey') return principal.keyId
  if (principal.kind === 'session') return principal.userId
  throw new Error(`expected a caller with an account, got ${principal.kind}`)
}

/** @throws ApiError VALIDATION_ERROR for a place that this stream never gave out. */
function placeOf(lastEventId: string | undefined): number | null {
  if (lastEventId === undefined || lastEventId === '') return null
  const place = /^-1$|^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN
  if (!Number.isNaN(place)) return place
  const message = 'expected the id of an event of this stream'
  throw validationError([{ pointer: '/Last-Event-ID', code: 'invalid_value', message }])
}

async function* messages(follow: ActivityStream, signal: AbortSignal): AsyncGenerator<string> {
  // Together with the first item: a reader that has left takes one part, and the stream gives its place back only when it
  // has begun.
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
