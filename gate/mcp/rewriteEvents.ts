const EVENT_END = /\r\n\r\n|\n\n|\r\r|\r\n\n|\n\r\n/g

/**
 * Passes server-sent events on as they come, except for the data of some.
 *
 * @param rewrite Returns other data for an event, or the same text to pass the event on unchanged.
 * @param bytesMax Of one event.
 * @throws Error at a longer event.
 * Source: HTML "Server-sent events", parsing an event stream.
 */
export async function* rewriteEvents(
  source: AsyncIterable<Buffer>,
  rewrite: (data: string) => Promise<string>,
  bytesMax: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let buffered = ''
  for await (const chunk of source) {
    // The end of an event may have begun in the chunk before.
    EVENT_END.lastIndex = Math.max(0, buffered.length - 3)
    buffered += decoder.decode(chunk, { stream: true })
    let start = 0
    const events: string[] = []
    for (let end = EVENT_END.exec(buffered); end !== null; end = EVENT_END.exec(buffered)) {
      events.push(buffered.slice(start, EVENT_END.lastIndex))
      start = EVENT_END.lastIndex
    }
    buffered = buffered.slice(start)
    for (const event of events) yield await rewriteEvent(event, rewrite)
    if (buffered.length > bytesMax) throw new Error(`an event is longer than ${bytesMax} bytes`)
  }
  // An event without its empty line is none.
}

/** Returns the data of an event; an empty text if it has none. */
export function readEventData(event: string): string {
  const lines = event.split(/\r\n|\r|\n/).filter(isData)
  return lines.map((line) => line.replace(/^data:? ?/, '')).join('\n')
}

async function rewriteEvent(event: string, rewrite: (data: string) => Promise<string>): Promise<string> {
  const data = readEventData(event)
  const rewritten = data === '' ? data : await rewrite(data)
  if (rewritten === data) return event
  const others = event.split(/\r\n|\r|\n/).filter((line) => line !== '' && !isData(line))
  return `${[...others, ...rewritten.split('\n').map((line) => `data: ${line}`)].join('\n')}\n\n`
}

function isData(line: string): boolean {
  return line === 'data' || line.startsWith('data:')
}
