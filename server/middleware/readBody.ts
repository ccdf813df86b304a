import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { apiError } from '../errors.ts'
import { parseJsonText } from './parseJsonText.ts'

/** api.md "Envelope": bodies are at most 256 KiB. */
const MAX_BODY_BYTES = 256 * 1024

/**
 * Reads the body's bytes, bounded.
 *
 * Past the bound it stops keeping bytes and lets the rest run off, so that the client still reads the answer.
 *
 * @throws ApiError PAYLOAD_TOO_LARGE, MALFORMED_JSON when the client ends early.
 */
export function readBody(req: IncomingMessage): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    req.resume()
    return Promise.reject(apiError('PAYLOAD_TOO_LARGE'))
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= MAX_BODY_BYTES) chunks.push(chunk)
      else reject(apiError('PAYLOAD_TOO_LARGE'))
    })
    req.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    req.on('error', (cause) => reject(apiError('MALFORMED_JSON', { cause })))
    req.on('aborted', () => reject(apiError('MALFORMED_JSON')))
    // A client that left before its body was asked for does not leave again.
    if (req.destroyed) reject(apiError('MALFORMED_JSON'))
  })
}

/**
 * Parses a JSON body.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, VALIDATION_ERROR.
 */
export function parseJsonBody(req: IncomingMessage, raw: Buffer): unknown {
  if (raw.length === 0) return undefined
  if (!isJsonType(req.headers['content-type']) || isEncoded(req.headers['content-encoding'])) {
    throw apiError('UNSUPPORTED_MEDIA_TYPE')
  }
  if (!isUtf8(raw)) throw apiError('MALFORMED_JSON', { message: 'The body is not valid UTF-8.' })
  return parseJsonText(raw.toString('utf8'))
}

function isJsonType(contentType: string | undefined): boolean {
  return (
    contentType === 'application/json' || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '')
  )
}

function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && contentEncoding !== 'identity'
}
