import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FieldError } from '@svc/core/access/fieldError.ts'
import { apiError, validationError } from '../errors.ts'

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
  })
}

/**
 * Parses a JSON body.
 *
 * Strings with a NUL or a lone surrogate are refused here, once, for every route: neither can be stored or
 * canonicalised (RFC 8785 §3.2.2.2), and both are legal JSON only through an escape.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, VALIDATION_ERROR.
 */
export function parseJsonBody(req: IncomingMessage, raw: Buffer): unknown {
  if (raw.length === 0) return undefined
  if (!isJsonType(req.headers['content-type']) || isEncoded(req.headers['content-encoding'])) {
    throw apiError('UNSUPPORTED_MEDIA_TYPE')
  }
  if (!isUtf8(raw)) throw apiError('MALFORMED_JSON', { message: 'The body is not valid UTF-8.' })
  const text = raw.toString('utf8')
  const value = parse(text)
  if (text.includes('\\u')) {
    const errors: FieldError[] = []
    collectBadStrings(value, '', errors)
    if (errors.length > 0) throw validationError(errors)
  }
  return value
}

/** The parser's own error is left out: it quotes the text, and the text may be a password. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw apiError('MALFORMED_JSON')
  }
}

function isJsonType(contentType: string | undefined): boolean {
  return (
    contentType === 'application/json' || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '')
  )
}

function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && contentEncoding !== 'identity'
}

function collectBadStrings(root: unknown, rootPointer: string, errors: FieldError[]): void {
  const pending: { value: unknown; pointer: string }[] = [{ value: root, pointer: rootPointer }]
  for (let at = pending.pop(); at && errors.length < 20; at = pending.pop()) {
    const { value, pointer } = at
    if (typeof value === 'string' && !isStorable(value)) errors.push(badString(pointer))
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      if (!isStorable(key)) errors.push(badString(pointer))
      else
        pending.push({
          value: member,
          pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        })
    }
  }
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

function badString(pointer: string): FieldError {
  return { pointer, code: 'invalid_string', message: 'holds a NUL character or a lone surrogate' }
}
