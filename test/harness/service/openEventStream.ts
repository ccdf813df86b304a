import { waitUntil } from '../runner/waitUntil.ts'

export type StreamedEvent = { id: string; type: string; data: { id: string; eventType: string } }

/** Opens a client of server-sent events that keeps every event; it does not reconnect on its own. */
export async function openEventStream(
  url: string,
  options: { bearer: string; lastEventId?: string | undefined },
) {
  const controller = new AbortController()
  const response = await fetch(url, {
    signal: controller.signal,
    headers: {
      authorization: `Bearer ${options.bearer}`,
      ...(options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId }),
    },
  })
  const events: StreamedEvent[] = []
  let text = ''
  let lastEventId: string | undefined
  let ended = false
  const reading = read().catch(() => undefined)

  async function read(): Promise<void> {
    let rest = ''
    for await (const chunk of response.body ?? []) {
      const part = new TextDecoder().decode(chunk)
      text += part
      const blocks = (rest + part).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) take(block)
    }
    ended = true
  }

  function take(block: string): void {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    lastEventId = field('id') ?? lastEventId
    const data = field('data')
    if (data === undefined) return
    events.push({ id: lastEventId ?? '', type: field('event') ?? 'message', data: JSON.parse(data) })
  }

  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    lastEventId: () => lastEventId,
    /** Resolves when this many events have arrived. */
    received: (count: number) => waitUntil(async () => (events.length >= count ? events : null)),
    /** Resolves when the server has sent the position at which the stream begins. */
    opened: () => waitUntil(async () => lastEventId ?? null),
    /** Resolves when the server has ended the stream. */
    ended: () => waitUntil(async () => (ended ? true : null)),
    async close() {
      controller.abort()
      await reading
    },
  }
}
