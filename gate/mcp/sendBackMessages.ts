import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { passHeaders } from '../proxy/passHeaders.ts'
import { UpstreamFailure } from '../proxy/upstream.ts'
import { type Answer, buildError, ERROR_CODES, type Message, type RequestId } from './jsonRpc.ts'
import { readBody } from './readBody.ts'
import { rewriteEvents } from './rewriteEvents.ts'
import { rewriteMessages } from './rewriteMessages.ts'

/** How a response is sent back. */
export type SendingBack = {
  res: ServerResponse
  /** Headers that are added. */
  headers: Readonly<Record<string, string>>
  /** Changes messages; undefined if none of them can need it. */
  rewrite?: ((message: Message) => Promise<Message>) | undefined
  /** Answers of the gate that belong to the same batch. */
  answers?: readonly Answer[]
  /** The requests that the response answers. */
  ids?: readonly RequestId[]
}

/** Of a list of tools, and of one event of a stream that may contain one. */
const LIST_BYTES_MAX = 16_777_216
/** Headers that are no longer true of a rewritten body. */
const OF_BODY = ['content-length', 'content-digest', 'etag']

/**
 * Sends a response of the server back, unchanged if no message can need a change.
 *
 * If a stream breaks off that the client cannot resume, its requests get errors: otherwise the client would wait for them.
 *
 * @throws UpstreamFailure if the response cannot be read; nothing has been sent then.
 */
export async function sendBackMessages(answer: IncomingMessage, sending: SendingBack): Promise<void> {
  const { statusCode: status = 502, headers } = answer
  const type = headers['content-type'] ?? ''
  const { rewrite, answers = [] } = sending
  const isReadable = (headers['content-encoding'] ?? 'identity') === 'identity'
  if (status < 300 && rewrite !== undefined && !isReadable) {
    answer.destroy()
    throw new UpstreamFailure('unreachable', 'the response is compressed')
  }
  if (status < 300 && /^text\/event-stream/i.test(type)) return sendEvents(answer, sending)
  if (status < 300 && (rewrite !== undefined || answers.length > 0)) return sendRewritten(answer, sending)
  writeHead(answer, sending)
  await pipeline(answer, sending.res).catch(() => sending.res.destroy())
}

function writeHead(
  answer: IncomingMessage,
  { res, headers }: SendingBack,
  without: readonly string[] = [],
): void {
  const { statusCode = 502, statusMessage = '' } = answer
  res.writeHead(statusCode, statusMessage, [
    ...passHeaders(answer, without),
    ...Object.entries(headers).flat(),
  ])
  res.flushHeaders()
}

async function sendRewritten(answer: IncomingMessage, sending: SendingBack): Promise<void> {
  const { res, headers, rewrite, answers = [] } = sending
  const leave = () => answer.destroy()
  res.once('close', leave)
  const body = await readBody(answer, LIST_BYTES_MAX).catch(() => undefined)
  res.off('close', leave)
  if (res.destroyed) return
  if (body === undefined) {
    answer.destroy()
    throw new UpstreamFailure('unreachable', 'the response is too long, or broke off')
  }
  const text = body.toString('utf8')
  const rewritten = rewrite === undefined ? text : await rewriteMessages(text, rewrite)
  const joined = answers.length === 0 ? rewritten : joinAnswers(answers, rewritten)
  const json = ['Content-Type', 'application/json']
  const isAccepted = answer.statusCode === 202 && answers.length > 0
  res.writeHead(isAccepted ? 200 : (answer.statusCode ?? 502), [
    ...passHeaders(answer, answers.length > 0 ? [...OF_BODY, 'content-type'] : OF_BODY),
    ...(answers.length > 0 ? json : []),
    ...Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(joined)) }).flat(),
  ])
  res.end(joined)
}

function joinAnswers(answers: readonly Answer[], text: string): string {
  const content: unknown = text.trim() === '' ? [] : JSON.parse(text)
  return JSON.stringify([...answers, ...(Array.isArray(content) ? content : [content])])
}

async function sendEvents(answer: IncomingMessage, sending: SendingBack): Promise<void> {
  const { res, rewrite, answers = [], ids = [] } = sending
  writeHead(answer, sending, rewrite === undefined ? [] : OF_BODY)
  for (const own of answers) res.write(eventOf(own))
  const leave = () => answer.destroy()
  res.once('close', leave)
  let isResumable = false
  try {
    const bytes = watch(answer, (chunk) => {
      isResumable ||= /(?:^|[\r\n])id:/.test(chunk.toString('latin1'))
    })
    const events =
      rewrite === undefined
        ? bytes
        : rewriteEvents(bytes, (data) => rewriteMessages(data, rewrite), LIST_BYTES_MAX)
    for await (const part of events) if (!res.write(part)) await drain(res)
    res.end()
  } catch {
    if (isResumable || res.destroyed || ids.length === 0) res.destroy()
    else res.end(`\n\n${ids.map((id) => eventOf(buildBrokenOff(id))).join('')}`)
  } finally {
    res.off('close', leave)
    answer.destroy()
  }
}

async function* watch(source: AsyncIterable<Buffer>, look: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    look(chunk)
    yield chunk
  }
}

function drain(res: ServerResponse): Promise<void> {
  if (res.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      res.off('drain', end).off('close', end)
      resolve()
    }
    res.on('drain', end).on('close', end)
  })
}

function buildBrokenOff(id: RequestId): Answer {
  return buildError(id, ERROR_CODES.upstreamFailed, 'The response of the server behind the gate broke off.')
}

function eventOf(answer: Answer): string {
  return `event: message\ndata: ${JSON.stringify(answer)}\n\n`
}
