import type { IncomingMessage } from 'node:http'
import { ERROR_CODES } from './jsonRpc.ts'
import { readBody } from './readBody.ts'
import { type ReadMessages, readMessages } from './readMessages.ts'

/** The messages of a request, with their bytes; or the status and error with which it is refused. */
export type ReadPost =
  | (ReadMessages & { bytes: Buffer })
  | { ok: false; status: number; code: number; problem: string }

const { invalidRequest, unparsable, headerMismatch } = ERROR_CODES

/**
 * Reads the messages that a client posts. What a server could read differently from the gate is refused: other encodings
 * than UTF-8, also in a second header, compressed bodies, and headers that repeat method and name differently.
 *
 * @throws Error if the client leaves before the end of the body.
 */
export async function readPost(req: IncomingMessage, bytesMax: number): Promise<ReadPost> {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = req.headers
  if (coding !== 'identity' || !isUtf8(type) || isAmbiguous(req.rawHeaders)) {
    return refuse(415, invalidRequest, 'The body must be uncompressed JSON in UTF-8.')
  }
  const bytes = await readBody(req, bytesMax)
  if (bytes === undefined) return refuse(413, invalidRequest, `The body is longer than ${bytesMax} bytes.`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refuse(400, unparsable, 'The body is not UTF-8.')
  }
  const read = readMessages(text)
  if (!read.ok) return { ...read, status: 400 }
  const differing = findDifferingHeader(req.headers, read)
  if (differing !== undefined) {
    return refuse(400, headerMismatch, `The header ${differing} differs from the body.`)
  }
  return { ...read, bytes }
}

function refuse(status: number, code: number, problem: string): ReadPost {
  return { ok: false, status, code, problem }
}

function isUtf8(type: string): boolean {
  if ((type.match(/charset/gi)?.length ?? 0) > 1) return false
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type) ?? []
  return /^application\/json\s*(?:;|$)/i.test(type) && charset.toLowerCase() === 'utf-8'
}

/** Whether the headers, which all pass on, describe the body twice, or in a name that CGI takes for the same. */
function isAmbiguous(rawHeaders: readonly string[]): boolean {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
  return ['content-type', 'content-encoding'].some((one) => {
    const found = names.filter((name) => name.replaceAll('_', '-') === one)
    return found.length > 1 || found.some((name) => name !== one)
  })
}

/** Source: MCP 2026-07-28 "Streamable HTTP", standard request headers. */
function findDifferingHeader(
  headers: IncomingMessage['headers'],
  { messages, calls, isBatch }: ReadMessages,
): string | undefined {
  const { 'mcp-method': method, 'mcp-name': name } = headers
  const [message] = messages
  if (method !== undefined && (isBatch || method !== message?.method)) return 'Mcp-Method'
  const call = message && calls.get(message)
  if (typeof name !== 'string' || (call === undefined && !isBatch)) return undefined
  return isBatch || decodeValue(name) !== call?.name ? 'Mcp-Name' : undefined
}

/** Names that a header cannot contain are sent in Base64. */
function decodeValue(value: string): string {
  const [, encoded] = /^=\?base64\?([\w+/=]*)\?=$/i.exec(value) ?? []
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}
