/** A message of a stream of server-sent events; `id` is the last one the stream has named, `data` is null without any. */
export type StreamMessage = { id: string; data: string | null }

/**
 * Reads server-sent events from a response's body, for streams whose request needs headers: EventSource sends none.
 *
 * Comments and fields that nobody here uses are passed over; a message that names a new id and no data is given too,
 * because it says where the stream stands.
 *
 * Source: HTML "Server-sent events", "Interpreting an event stream".
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  let id = ''
  let message = newMessage()
  for await (const line of linesOf(body)) {
    if (line !== '') {
      const { name, value } = fieldOf(line)
      if (name === 'id' && !value.includes('\0')) {
        id = value
        message.hasId = true
      }
      if (name === 'data') message.data.push(value)
      continue
    }
    if (message.data.length > 0) yield { id, data: message.data.join('\n') }
    else if (message.hasId) yield { id, data: null }
    message = newMessage()
  }
}

function newMessage(): { data: string[]; hasId: boolean } {
  return { data: [], hasId: false }
}

/** A line's name and value; a comment has no name. */
function fieldOf(line: string): { name: string; value: string } {
  const at = line.indexOf(':')
  if (at < 0) return { name: line, value: '' }
  return { name: line.slice(0, at), value: line.slice(at + 1).replace(/^ /, '') }
}

/** Whole lines; a carriage return at the end of a part may belong to the line feed of the next. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
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
