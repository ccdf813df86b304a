import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { apiError, type ErrorCode } from '../errors.ts'
import { buildErrorBody } from './buildErrorBody.ts'
import { INTERFACE_VERSION } from './writeAnswer.ts'

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/**
 * Answers input that could not be parsed as a request with the usual error body, and closes the connection: the following
 * bytes might be misread as a different request.
 *
 * If a response has already begun on the connection, it gets no second one. Source: RFC 9112 §9.6; node:http `clientError`.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket)) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const refusal = apiError(CODES[error.code ?? ''] ?? 'MALFORMED_REQUEST')
  const payload = JSON.stringify(buildErrorBody(refusal, '', requestId))
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(payload)}`,
    `X-Request-Id: ${requestId}`,
    `X-Svc-Version: ${INTERFACE_VERSION}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${payload}`)
  socket.once('finish', () => socket.destroy())
}

/** Reads the member that node:http’s own handler reads, because there is no public one. */
function hasBegunAnswer(socket: Duplex): boolean {
  const answer = Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined
  return answer?.headersSent === true
}
