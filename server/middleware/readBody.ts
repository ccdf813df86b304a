import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { apiError } from '../errors.ts'
import type { GatePlace } from './createLoadGate.ts'
import { parseJsonText } from './parseJsonText.ts'

/** Maximum body: 256 KiB. */
const MAX_BODY_BYTES = 256 * 1024

/** After this time, an incomplete body is waited for outside the load gate. */
const SLOW_MS = 250
/** Maximum time for a body, so that a decision is not made long after its request began. */
const LATE_MS = 10_000

/**
 * Reads the body's bytes, up to the limit.
 *
 * Beyond the limit it discards bytes but keeps reading, so that the client can still read the response.
 *
 * @param place The request's place in the load gate, released while the client is slow; null if it has none.
 * @throws ApiError PAYLOAD_TOO_LARGE, MALFORMED_JSON if the client ends early, REQUEST_TIMEOUT after ten seconds,
 * SERVICE_UNAVAILABLE if too many are slow or no place is left.
 */
export function readBody(
  req: IncomingMessage,
  place: Pick<GatePlace, 'stepAside' | 'stepBack'> | null,
): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    req.resume()
    return Promise.reject(apiError('PAYLOAD_TOO_LARGE'))
  }
  return new Promise((resolve, rejected) => {
    const chunks: Buffer[] = []
    let length = 0
    const reject = (error: unknown) => {
      clearTimeout(timer)
      rejected(error)
    }
    const late = () => reject(apiError('REQUEST_TIMEOUT', { headers: { Connection: 'close' } }))
    let timer = setTimeout(() => {
      timer = setTimeout(late, LATE_MS - SLOW_MS)
      try {
        place?.stepAside()
      } catch (error) {
        reject(error)
      }
    }, SLOW_MS)
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= MAX_BODY_BYTES) chunks.push(chunk)
      else reject(apiError('PAYLOAD_TOO_LARGE'))
    })
    req.on('end', () => {
      clearTimeout(timer)
      try {
        place?.stepBack()
        resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
      } catch (error) {
        rejected(error)
      }
    })
    req.on('error', (cause) => reject(apiError('MALFORMED_JSON', { cause })))
    req.on('aborted', () => reject(apiError('MALFORMED_JSON')))
    // A client that disconnected before its body was requested emits no further event.
    if (req.destroyed) reject(apiError('MALFORMED_JSON'))
  })
}

const NO_UTF8 = 'The header `Content-Type` names another charset than UTF-8.'
/** `curl --data` and many libraries name another type unless they are told. */
const NO_JSON = 'The body is not declared as JSON: send the header `Content-Type: application/json`.'

/**
 * Parses a JSON body.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, VALIDATION_ERROR.
 */
export function parseJsonBody(req: IncomingMessage, raw: Buffer): unknown {
  if (raw.length === 0) return undefined
  if (!isJsonType(req.headers['content-type'])) throw apiError('UNSUPPORTED_MEDIA_TYPE', { message: NO_JSON })
  if (isOtherText(req.headers['content-type'])) throw apiError('UNSUPPORTED_MEDIA_TYPE', { message: NO_UTF8 })
  if (isEncoded(req.headers['content-encoding'])) throw apiError('UNSUPPORTED_MEDIA_TYPE')
  if (!isUtf8(raw)) throw apiError('MALFORMED_JSON', { message: 'The body is not valid UTF-8.' })
  return parseJsonText(raw.toString('utf8'))
}

function isJsonType(contentType: string | undefined): boolean {
  return (
    contentType === 'application/json' || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '')
  )
}

/** Source: RFC 8259 §8.1. */
function isOtherText(contentType: string | undefined): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType ?? '')?.[1]
  return charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)
}

function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && contentEncoding !== 'identity'
}
