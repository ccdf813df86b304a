import type { ActivityItem } from '@svc/core/contract/activity.ts'
import { ApiFailure } from './apiFailure.ts'
import { pause } from './pause.ts'
import { readEventStream } from './readEventStream.ts'
import { session } from './session.ts'

type Follower = {
  /** Path of the stream, with the filters of `GET /api/activity`. */
  path: string
  /** Id of the last event received; null to start with new events. */
  lastEventId: string | null
  onEvent(event: ActivityItem): void
  /** Called whenever the open stream names its position. */
  onPosition(id: string): void
  /** Called when the connection is lost; a reconnect follows. */
  onDisconnect(): void
}

const RETRY_FIRST_MS = 1_000
const RETRY_LONGEST_MS = 30_000

/**
 * Follows the activity feed until `signal` aborts; a stream that ends or breaks is resumed from the last event.
 *
 * Reconnects with jittered exponential back-off from one to thirty seconds, and renews an expired access token.
 */
export async function followActivity(follower: Follower, signal: AbortSignal): Promise<void> {
  let lastEventId = follower.lastEventId
  let waitMs = RETRY_FIRST_MS
  while (!signal.aborted) {
    try {
      for await (const { id, data } of readEventStream(await open(follower.path, lastEventId, signal))) {
        waitMs = RETRY_FIRST_MS
        lastEventId = id
        if (data !== null) follower.onEvent(JSON.parse(data) as ActivityItem)
        follower.onPosition(id)
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiFailure && error.status === 401) await session.refresh().catch(() => undefined)
    }
    if (signal.aborted) return
    follower.onDisconnect()
    await pause(waitMs * (0.5 + Math.random() / 2), signal)
    waitMs = Math.min(RETRY_LONGEST_MS, waitMs * 2)
  }
}

async function open(
  path: string,
  lastEventId: string | null,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(path, {
    signal,
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${session.token()}`,
      ...(lastEventId === null ? {} : { 'Last-Event-ID': lastEventId }),
    },
  })
  if (response.ok && response.body !== null) return response.body
  throw new ApiFailure(`HTTP_${response.status}`, 'The event stream could not be opened.', {
    status: response.status,
  })
}
