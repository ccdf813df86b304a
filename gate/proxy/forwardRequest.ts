import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { forwardExchange } from './forwardExchange.ts'
import { hasBody } from './hasBody.ts'
import { onceGone } from './onceGone.ts'
import { passHeaders } from './passHeaders.ts'
import { awaitResponse, type Question, type Upstream, UpstreamFailure } from './upstream.ts'

/** A request that may pass, and what is added to it and to its response. */
export type Forwarding = {
  req: IncomingMessage
  res: ServerResponse
  /** Headers for the server, names and values in turn. */
  headers: string[]
  /** Headers that are added to the response. */
  responseHeaders: Readonly<Record<string, string>>
  /** Path with query; default that of the request. */
  path?: string
  /** What is sent in place of the request's body, which has been read. */
  body?: Uint8Array
  /** Sends the response on; by default as it is. */
  sendBack?: (answer: IncomingMessage) => Promise<void>
}

/**
 * Sends a request on to the server and its response back, both as streams that wait for their readers.
 *
 * A caller that leaves ends the request to the server. A response that breaks off breaks off for the caller too, so that it
 * is not taken for a whole one. A request that changes nothing is sent once more if the server closes the connection in
 * place of an answer: usually a kept connection has just ended, which is no failure.
 *
 * @throws UpstreamFailure if the server does not answer; nothing has been sent to the caller then.
 */
export async function forwardRequest(upstream: Upstream, forwarding: Forwarding): Promise<void> {
  const { req, body, sendBack, headers, path = req.url ?? '/' } = forwarding
  const question = { method: req.method ?? 'GET', path, headers }
  const isRead = (req.method === 'GET' || req.method === 'HEAD') && !hasBody(req)
  const isExchange = isRead && body === undefined && sendBack === undefined && upstream.takes(path)
  const forward = isExchange ? forwardExchange : forwardStream
  try {
    await forward(upstream, forwarding, question)
  } catch (error) {
    if (!(error instanceof UpstreamFailure && error.isClosed && isRead)) throw error
    await forward(upstream, forwarding, question)
  }
}

async function forwardStream(upstream: Upstream, forwarding: Forwarding, question: Question): Promise<void> {
  const { res, responseHeaders, sendBack } = forwarding
  const answer = await ask(upstream, forwarding, question)
  if (answer === undefined) return
  if (sendBack !== undefined) return sendBack(answer)
  const { statusCode = 502, statusMessage = '' } = answer
  res.writeHead(statusCode, statusMessage, [
    ...passHeaders(answer),
    ...Object.entries(responseHeaders).flat(),
  ])
  await pump(answer, res)
}

/**
 * Sends the body on; resolves when the response is closed. In place of `pipeline`, which spends a tenth of the time of a
 * short request on a signal that it aborts at the end.
 */
function pump(answer: IncomingMessage, res: ServerResponse): Promise<void> {
  // Server-sent events may have no byte for a long time; a byte that is there goes with the headers.
  if (answer.readableLength === 0 && !answer.complete) res.flushHeaders()
  const breakOff = () => void res.destroy()
  return new Promise((resolve) => {
    answer.on('error', breakOff).on('close', () => {
      if (!answer.complete) breakOff()
    })
    res.on('error', breakOff)
    onceGone(res, () => {
      answer.destroy()
      resolve()
    })
    answer.pipe(res)
  })
}

/** Asks the server. Undefined if the caller has left. */
async function ask(
  upstream: Upstream,
  { req, res, body }: Forwarding,
  question: Question,
): Promise<IncomingMessage | undefined> {
  const opened = upstream.open(question)
  const stop = onceGone(res, () => opened.destroy())
  const hasLeft = () => res.destroyed || req.socket.destroyed
  if (body === undefined) sendBody(req, opened)
  else opened.end(body)
  try {
    const answer = await awaitResponse(opened)
    // From here on, the pipe ends both sides.
    if (hasLeft()) answer.destroy()
    return hasLeft() ? undefined : answer
  } catch (error) {
    if (hasLeft()) return undefined
    throw error
  } finally {
    stop()
  }
}

/** The server may answer, or fail, before it has read the body: its answer tells, not the pipe. */
function sendBody(req: IncomingMessage, opened: ClientRequest): void {
  if (hasBody(req)) void pipeline(req, opened).catch(() => opened.destroy())
  else opened.end()
}
