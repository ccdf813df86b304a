import { ERROR_CATALOGUE } from '../../server/errors.ts'
import type { HostileRequest } from './arbitraryRequest.ts'
import type { HostileAnswer } from './sendHostile.ts'

const CATALOGUE: ReadonlyMap<string, { status: number }> = new Map(Object.entries(ERROR_CATALOGUE))

/** Bytes of target and headers that are certainly accepted: 16 KiB less what the client adds. */
const HEAD_MAX = 15_000

const TEXTS = ['error', 'code', 'message', 'type', 'title', 'detail', 'instance', 'requestId']

/**
 * Finds what is wrong with a response: an internal error, an undocumented status or code, an error body not of the form in
 * docs/errors.md, or a body or header other than the document promises. Returns null if nothing is.
 */
export function findResponseFault(request: HostileRequest, answer: HostileAnswer): string | null {
  const { operation, method, isElsewhere } = request
  const { status, type, body } = answer
  if (status >= 500 && !isDeferred(request, answer)) return `status ${status}`
  if (method === 'HEAD') return null
  if (status < 400) {
    if (!isElsewhere) return operation.findDifference(answer)
    return /^application\/json(;|$)/.test(type) && !isJson(body) ? 'a body that is not JSON' : null
  }
  if (!/^application\/(problem\+)?json/.test(type)) return `an error of type "${type}"`
  if (operation.path === '/mcp' && isRpcError(body)) return null
  const { code } = isJson(body) ? JSON.parse(body) : {}
  return findErrorFault(answer) ?? findCodeFault(code) ?? findDifference(code)

  function findCodeFault(code: string): string | null {
    const isPromised = isElsewhere || operation.codes.has(code) || isHttpLevelFault(request, code)
    return isPromised ? null : `${status} ${code}, which is not documented`
  }

  function findDifference(code: string): string | null {
    return isElsewhere || isHttpLevelFault(request, code) ? null : operation.findDifference(answer)
  }
}

/** Whether the response asks for patience, as documented for a feed that is far behind; a broken one does not. */
function isDeferred({ operation }: HostileRequest, { status, headers }: HostileAnswer): boolean {
  return status === 503 && headers['retry-after'] !== undefined && operation.codes.has('SERVICE_UNAVAILABLE')
}

/** Whether the request is rejected before it reaches an operation. */
function isHttpLevelFault({ target, headers }: HostileRequest, code: string): boolean {
  if (code === 'MALFORMED_REQUEST') return /[^\x21-\x7e]/.test(target)
  return code === 'HEADERS_TOO_LARGE' && target.length + JSON.stringify(headers).length > HEAD_MAX
}

function findErrorFault({ body, status, headers }: HostileAnswer): string | null {
  if (!isJson(body)) return 'an error that is not JSON'
  const error: Record<string, unknown> = JSON.parse(body)
  const missing = TEXTS.filter((name) => typeof error[name] !== 'string')
  if (missing.length > 0) return `an error without ${missing.join(', ')}`
  if (error.success !== false || error.status !== status) return 'an error that does not state its status'
  if (CATALOGUE.get(String(error.code))?.status !== status)
    return `the code ${error.code} with status ${status}`
  // The methods of a path, not one operation, determine the response to another method. Source: RFC 9110 §15.5.6.
  if (status === 405 && headers.allow === undefined) return 'status 405 without Allow'
  return null
}

/** Errors of the MCP layer have the form of JSON-RPC. */
function isRpcError(body: string): boolean {
  return (
    isJson(body) && JSON.parse(body)?.jsonrpc === '2.0' && typeof JSON.parse(body).error?.code === 'number'
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
