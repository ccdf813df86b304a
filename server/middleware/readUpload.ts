import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FieldError } from '@svc/core/fieldErrors.ts'
import { type ApiError, apiError, validationError } from '../errors.ts'

/** The parts that an operation accepts as `multipart/form-data`; all others are rejected. */
export type UploadRules = {
  files: readonly string[]
  fields: readonly string[]
  fileBytesMax: number
  fieldBytesMax: number
  /** Maximum time to arrive. */
  timeoutMs: number
}

/** The received parts by name; missing ones are absent. */
export type Upload = {
  files: Readonly<Record<string, Uint8Array>>
  fields: Readonly<Record<string, string>>
}

/** Space for boundaries and headers of the few parts. */
const OVERHEAD_BYTES = 16 * 1024
const HEADER_BYTES_MAX = 2 * 1024

/**
 * Reads a `multipart/form-data` body as it arrives, and stops at the first part that the rules do not allow.
 *
 * Beyond a limit it discards bytes but keeps reading, so that the client can still read the response. File names and types
 * sent by the client are ignored.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, MALFORMED_UPLOAD if it ends early or takes too long,
 * VALIDATION_ERROR for an unknown or repeated part. Source: RFC 7578.
 */
export function readUpload(req: IncomingMessage, rules: UploadRules): Promise<Upload> {
  const bytesMax =
    rules.files.length * rules.fileBytesMax + rules.fields.length * rules.fieldBytesMax + OVERHEAD_BYTES
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) return Promise.reject(tooLarge(rules))
  return new Promise((resolve, reject) => {
    const upload = { files: {} as Record<string, Uint8Array>, fields: {} as Record<string, string> }
    const parser = parserOf(req, rules)
    const end = (fault: ApiError | null) => {
      clearTimeout(deadline)
      req.unpipe(parser)
      req.off('data', count)
      if (fault) reject(fault)
      else resolve(upload)
    }
    const deadline = setTimeout(
      () => end(apiError('MALFORMED_UPLOAD', { message: 'The upload took too long.' })),
      rules.timeoutMs,
    )
    let length = 0
    const count = (chunk: Buffer) => {
      length += chunk.length
      if (length > bytesMax) end(tooLarge(rules))
    }
    const seen = new Set<string>()
    /** Whether a part is expected, and the first of its name. */
    const isExpected = (name: unknown, known: readonly string[]): name is string => {
      const fault = faultOfName(name, known, seen)
      if (fault) end(validationError([fault]))
      return fault === null
    }
    parser.on('file', (name: unknown, file) => {
      file.on('error', (cause: Error) => end(apiError('MALFORMED_UPLOAD', { cause })))
      if (!isExpected(name, rules.files)) return file.resume()
      const chunks: Buffer[] = []
      file.on('limit', () => end(tooLarge(rules)))
      file.on('data', (chunk: Buffer) => chunks.push(chunk))
      file.on('end', () => {
        upload.files[name] = Buffer.concat(chunks)
      })
      return undefined
    })
    parser.on('field', (name: unknown, value, _nameTruncated, isTruncated) => {
      if (!isExpected(name, rules.fields)) return
      if (isTruncated)
        end(validationError([{ pointer: `/${name}`, code: 'too_big', message: 'is too long' }]))
      else upload.fields[name] = value
    })
    parser.on('error', (cause: unknown) => end(apiError('MALFORMED_UPLOAD', { cause })))
    parser.on('finish', () => end(null))
    const giveUp = () => end(apiError('MALFORMED_UPLOAD'))
    for (const event of ['aborted', 'error']) req.on(event, giveUp)
    req.on('data', count)
    req.pipe(parser)
    // A client that disconnected before its body was requested emits no further event.
    if (req.destroyed) giveUp()
  })
}

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE for another type, or without a boundary. */
function parserOf(req: IncomingMessage, rules: UploadRules): BusboyInstance {
  const refused = (cause?: unknown) =>
    apiError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'The body is `multipart/form-data`, not compressed.',
      cause,
    })
  const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = req.headers
  if (!/^multipart\/form-data\s*;/i.test(contentType) || encoding !== 'identity') throw refused()
  try {
    return new Busboy({
      headers: { ...req.headers, 'content-type': contentType },
      isPartAFile: (name) => name === undefined || !rules.fields.includes(name),
      limits: {
        fileSize: rules.fileBytesMax,
        fieldSize: rules.fieldBytesMax,
        // One more than allowed, so that an extra part is rejected by name.
        parts: rules.files.length + rules.fields.length + 1,
        headerSize: HEADER_BYTES_MAX,
      },
    })
  } catch (cause) {
    throw refused(cause)
  }
}

function faultOfName(name: unknown, known: readonly string[], seen: Set<string>): FieldError | null {
  if (typeof name !== 'string' || !known.includes(name)) {
    return { pointer: '', code: 'unknown_key', message: 'contains an unknown part' }
  }
  if (seen.has(name)) return { pointer: `/${name}`, code: 'duplicate', message: 'is repeated' }
  seen.add(name)
  return null
}

function tooLarge(rules: UploadRules): ApiError {
  const mebibytes = rules.fileBytesMax / 1024 / 1024
  return apiError('PAYLOAD_TOO_LARGE', {
    message: `A file is over ${mebibytes} MiB, or the body as a whole is too large.`,
  })
}
