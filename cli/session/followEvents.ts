import { readError } from '@svc/client/http/readResponse.ts'
import { isUnavailable, SvcApiError } from '@svc/client/http/svcApiError.ts'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'

type Following = {
  url: string
  bearer(): Promise<string>
  onEvent(event: ActivityEvent): void
  /** Called when a connection is lost and will be opened again. */
  onLost(error: Error): void
  wait(ms: number): Promise<void>
  signal: AbortSignal
}

const RECONNECT_MS = 3_000
/** The service sends a heartbeat every 15 s; a connection that is silent for this long is dead. */
const SILENCE_MS = 60_000

/**
 * Follows the stream of events until the signal: after a lost connection it continues where it was.
 *
 * @throws SvcApiError if the service refuses the stream, or is unreachable at the first attempt.
 *
 * Source: HTML "Server-sent events".
 */
export async function followEvents(following: Following): Promise<void> {
  const { signal, onLost, wait } = following
  const position: { lastEventId: string | null; wasOpen: boolean } = { lastEventId: null, wasOpen: false }
  while (!signal.aborted) {
    try {
      await followOnce(following, position)
    } catch (error) {
      if (signal.aborted) return
      const failure = error instanceof SvcApiError ? error : lost(error)
      if (!position.wasOpen || !isUnavailable(failure)) throw failure
      onLost(failure)
    }
    if (!signal.aborted) await wait(RECONNECT_MS)
  }
}

async function followOnce(
  { url, bearer, onEvent, signal }: Following,
  position: { lastEventId: string | null; wasOpen: boolean },
): Promise<void> {
  const silence = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  try {
    restart()
    const response = await fetch(url, {
      headers: {
        authorization: `Bearer ${await bearer()}`,
        accept: 'text/event-stream',
        ...(position.lastEventId === null ? {} : { 'last-event-id': position.lastEventId }),
      },
      redirect: 'manual',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.ok) throw await readError(response, Date.now())
    position.wasOpen = true
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      restart()
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const { id, data } = parseMessage(block)
        if (data !== null) onEvent(JSON.parse(data) as ActivityEvent)
        position.lastEventId = id ?? position.lastEventId
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

function parseMessage(block: string): { id: string | null; data: string | null } {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null
  return { id: field('id'), data: field('data') }
}

function lost(cause: unknown): SvcApiError {
  return new SvcApiError({
    code: 'NETWORK_ERROR',
    status: 0,
    message: 'The service could not be reached.',
    cause,
  })
}
