import { ApiFailure } from './apiFailure.ts'
import { readEventStream } from './readEventStream.ts'
import { session } from './session.ts'
import type { ActivityEvent } from './types.ts'

type Follower = {
  /** Filters, as `GET /api/activity` takes them. */
  search: string
  /** Id of the last event that was seen; null to begin with what happens from now on. */
  lastEventId: string | null
  onEvent(event: ActivityEvent): void
  /** The stream is open, and where it stands. */
  onPlace(id: string): void
  /** The stream is not open; it is tried again. */
  onLost(): void
}

const RETRY_FIRST_MS = 1_000
const RETRY_LONGEST_MS = 30_000

/**
 * Follows the activity feed until the signal is given: a stream that ends or breaks is opened again where it was.
 *
 * Tries are a second apart at first and twice as far each time, up to half a minute, less by chance; an access token that
 * has expired is renewed. Source: api.md "Approvals, activity, audit" (`GET /api/activity/stream`).
 */
export async function followActivity(follower: Follower, signal: AbortSignal): Promise<void> {
  let place = follower.lastEventId
  let waitMs = RETRY_FIRST_MS
  while (!signal.aborted) {
    try {
      for await (const { id, data } of readEventStream(await open(follower.search, place, signal))) {
        waitMs = RETRY_FIRST_MS
        place = id
        if (data !== null) follower.onEvent(JSON.parse(data) as ActivityEvent)
        follower.onPlace(id)
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiFailure && error.status === 401) await session.refresh().catch(() => undefined)
    }
    if (signal.aborted) return
    follower.onLost()
    await pause(waitMs * (0.5 + Math.random() / 2), signal)
    waitMs = Math.min(RETRY_LONGEST_MS, waitMs * 2)
  }
}

async function open(
  search: string,
  place: string | null,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`/api/activity/stream${search === '' ? '' : `?${search}`}`, {
    signal,
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${session.token()}`,
      ...(place === null ? {} : { 'Last-Event-ID': place }),
    },
  })
  if (response.ok && response.body !== null) return response.body
  throw new ApiFailure(`HTTP_${response.status}`, 'The stream was refused.', { status: response.status })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
