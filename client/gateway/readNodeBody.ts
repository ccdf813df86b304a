import { concatBytes } from '@svc/core/concatBytes.ts'
import { readHeaders } from '../http/readHeaders.ts'
import { listCoveredNames } from './readCoveredHeaders.ts'
import { type BodyLimits, isProving, type ReceivedBody } from './receivedBody.ts'

/** The request of Node, or what Express and Fastify make of it. */
type RequestWithBody = {
  headers: Readonly<Record<string, string | string[] | undefined>> | Headers
}

/** The parts of Node's streams that are used, and of its requests; those of another runtime may be missing. */
type NodeStream = RequestWithBody & {
  readonly httpVersionMajor?: number
  /** Of HTTP/2; says whether the headers ended the request. */
  readonly stream?: { readonly endAfterHeaders?: boolean }
  readonly complete?: boolean
  readonly destroyed?: boolean
  readonly readableDidRead?: boolean
  readonly readableFlowing?: boolean | null
  readonly readableLength?: number
  readonly readableEncoding?: string | null
  /** Set once the last byte is in the buffer, before the event `end`. `complete` is not, over HTTP/2. */
  readonly _readableState?: { readonly ended?: boolean }
  read(): Uint8Array | null
  unshift(chunk: Uint8Array): unknown
  on(event: string, listener: () => void): unknown
  off(event: string, listener: () => void): unknown
}

const CONSUMED: ReceivedBody = { unread: 'consumed' }
const TOO_LONG: ReceivedBody = { unread: 'too_long' }
const TOO_SLOW: ReceivedBody = { unread: 'too_slow' }
const NO_ROOM: ReceivedBody = { unread: 'no_room' }
const NO_LIMITS: BodyLimits = { waitMs: 0, takeRoom: () => true }

/**
 * Reads the body of a Node request that proves its sender, up to `bytesMax`, and leaves the request as if nothing had been
 * read, for the parsers and handlers behind the gateway.
 *
 * If nothing can depend on its bytes, because neither a signature covers them nor an intent proof may state their hash, it
 * is too long as soon as there is one: anyone can send a signature that is none. What is too slow, or has no room, is not
 * put back, because such a request is refused.
 *
 * @param limits By default none; `waitMs` 0 is no time limit.
 * @returns undefined if the request proves nothing and so needs no digest; no bytes if it has no body.
 */
export function readNodeBody(
  request: RequestWithBody,
  bytesMax: number,
  limits: BodyLimits = NO_LIMITS,
): ReceivedBody | undefined | Promise<ReceivedBody> {
  const req = request as NodeStream
  const headers = headersOf(req)
  if (!isProving(headers)) return undefined
  if (!mayHaveBody(req, headers)) return new Uint8Array()
  const max = isDigestNeeded(headers) ? bytesMax : 0
  return Number(headers['content-length'] ?? 0) > max ? TOO_LONG : readUntouched(req, max, limits)
}

function isDigestNeeded(headers: NodeHeaders): boolean {
  if (headers['x-svc-proof'] !== undefined) return true
  return listCoveredNames(readHeaders(headers)).some((names) => names.includes('content-digest'))
}

async function readUntouched(req: NodeStream, bytesMax: number, limits: BodyLimits): Promise<ReceivedBody> {
  // The parser of HTTP is still at work on the bytes with which the headers came.
  await undefined
  const isUntouched = req.readableDidRead === false && req.readableFlowing !== true && !req.destroyed
  // With an encoding, the stream has texts, from which the bytes cannot be told.
  return isUntouched && req.readableEncoding === null ? readAndRestore(req, bytesMax, limits) : CONSUMED
}

type NodeHeaders = Readonly<Record<string, string | string[] | undefined>>

function headersOf({ headers }: RequestWithBody): NodeHeaders {
  return typeof headers.get === 'function' ? Object.fromEntries(headers as Headers) : (headers as NodeHeaders)
}

/** HTTP/2 needs no header for a body, whatever the method. Source: RFC 9112 §6.3; RFC 9113 §8.1. */
function mayHaveBody(
  { httpVersionMajor = 1, stream }: NodeStream,
  { 'content-length': length, 'transfer-encoding': coding }: NodeHeaders,
): boolean {
  if (length !== undefined) return Number(length) !== 0
  return coding !== undefined || (httpVersionMajor > 1 && stream?.endAfterHeaders !== true)
}

/**
 * Takes the chunks from the buffer of the stream, and puts them back before the stream emits `end`. The end itself must not
 * be read, nor listened for at a stream that has reached it: it is emitted once.
 */
function readAndRestore(req: NodeStream, bytesMax: number, limits: BodyLimits): Promise<ReceivedBody> {
  const chunks: Uint8Array[] = []
  let size = 0
  /** Returns the body once it is known. */
  const take = (): ReceivedBody | undefined => {
    while (Number(req.readableLength) > 0 && size <= bytesMax) {
      const chunk = req.read()
      if (!chunk) break
      // What is too long already is not held.
      if (bytesMax > 0 && !limits.takeRoom(chunk.length)) return NO_ROOM
      size += chunk.length
      chunks.push(chunk)
    }
    const isEnded = req.complete === true || req._readableState?.ended === true
    if (size <= bytesMax && !isEnded) return undefined
    const all = concatBytes(chunks)
    if (size > 0) req.unshift(all)
    return size > bytesMax ? TOO_LONG : all
  }
  const taken = take()
  if (taken !== undefined) return Promise.resolve(taken)
  return new Promise((resolve) => {
    const finish = (body: ReceivedBody): void => {
      clearTimeout(timer)
      for (const event of ['close', 'error']) req.off(event, giveUp)
      req.off('readable', takeMore)
      resolve(body)
    }
    const giveUp = (): void => finish(CONSUMED)
    const takeMore = (): void => {
      const body = take()
      if (body !== undefined) finish(body)
    }
    const timer = limits.waitMs === 0 ? undefined : setTimeout(() => finish(TOO_SLOW), limits.waitMs)
    for (const event of ['close', 'error']) req.on(event, giveUp)
    req.on('readable', takeMore)
  })
}
