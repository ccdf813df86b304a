import type { IncomingMessage } from 'node:http'
import { sha256Hex } from '@svc/core/hash.ts'
import { awaitResponse, type Upstream } from '../proxy/upstream.ts'
import { buildListRequest, pickProtocolMembers } from './buildListRequest.ts'
import type { AskForTools } from './createToolHints.ts'
import { isObject, type Message } from './jsonRpc.ts'
import { readBody } from './readBody.ts'
import { readEventData, rewriteEvents } from './rewriteEvents.ts'

/** The call for which the gate asks; it uses its session and credentials. */
type Asking = {
  upstream: Upstream
  path: string
  /** Headers for the server, without those of the body. */
  headers: readonly string[]
  /** `_meta` of the call. */
  metadata: Readonly<Record<string, unknown>>
}

const LIST_BYTES_MAX = 4_194_304

/**
 * Asks the server for its list of tools, in the session of a call. The server can only tell callers apart by what the gate
 * sends it: path, headers and the members of `_meta` that belong to the protocol.
 */
export function askForTools(asking: Asking): AskForTools {
  const { path, headers, metadata } = asking
  return {
    caller: sha256Hex(JSON.stringify([path, headers, pickProtocolMembers(metadata)])),
    async readPage(params, signal) {
      const { id, text } = buildListRequest(params, metadata)
      try {
        return await send(asking, id, text, signal)
      } catch {
        return undefined
      }
    },
  }
}

async function send(
  { upstream, path, headers }: Asking,
  id: string,
  body: string,
  signal: AbortSignal,
): Promise<Message | undefined> {
  const length = ['Content-Length', String(Buffer.byteLength(body))]
  const opened = upstream.open({ method: 'POST', path, headers: [...headers, ...length] })
  const stop = () => opened.destroy()
  signal.addEventListener('abort', stop)
  opened.end(body)
  try {
    const answer = await awaitResponse(opened)
    return await findAnswer(answer, id).finally(() => answer.destroy())
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function findAnswer(answer: IncomingMessage, id: string): Promise<Message | undefined> {
  if (!/^text\/event-stream/i.test(answer.headers['content-type'] ?? '')) {
    const body = await readBody(answer, LIST_BYTES_MAX)
    return body && readAnswer(body.toString('utf8'), id)
  }
  for await (const event of rewriteEvents(answer, async (data) => data, LIST_BYTES_MAX)) {
    const data = readEventData(event)
    const found = data === '' ? undefined : readAnswer(data, id)
    if (found !== undefined) return found
  }
  return undefined
}

function readAnswer(text: string, id: string): Message | undefined {
  const content: unknown = JSON.parse(text)
  return isObject(content) && content.id === id ? content : undefined
}
