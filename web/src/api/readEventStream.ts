/** A server-sent message; `id` is the last event id of the stream, `data` is null if the message has none. */
export type StreamMessage = { id: string; data: string | null }

/**
 * Reads server-sent events from a response body. `EventSource` cannot send the headers that the request needs.
 *
 * Comments and unused fields are skipped. A message with an id and no data is yielded too, because it marks the stream's
 * position.
 *
 * Source: HTML "Server-sent events", "Interpreting an event stream".
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  let id = ''
  let message = createMessage()
  for await (const line of readLines(body)) {
    if (line !== '') {
      const { name, value } = parseField(line)
      if (name === 'id' && !value.includes('\0')) {
        id = value
        message.hasId = true
      }
      if (name === 'data') message.data.push(value)
      continue
    }
    if (message.data.length > 0) yield { id, data: message.data.join('\n') }
    else if (message.hasId) yield { id, data: null }
    message = createMessage()
  }
}

function createMessage(): { data: string[]; hasId: boolean } {
  return { data: [], hasId: false }
}

/** Splits a line into name and value; a comment has an empty name. */
function parseField(line: string): { name: string; value: string } {
  const at = line.indexOf(':')
  if (at < 0) return { name: line, value: '' }
  return { name: line.slice(0, at), value: line.slice(at + 1).replace(/^ /, '') }
}

/** Yields whole lines. A carriage return at the end of a chunk is held back: its line feed may be in the next chunk. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const held = rest.endsWith('\r') ? '\r' : ''
      const lines = rest.slice(0, rest.length - held.length).split(/\r\n|\n|\r/)
      rest = (lines.pop() ?? '') + held
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
