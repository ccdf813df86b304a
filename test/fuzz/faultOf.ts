import { ERROR_CATALOGUE } from '../../server/errors.ts'
import type { HostileRequest } from './hostileRequest.ts'
import type { HostileAnswer } from './sendHostile.ts'

const CATALOGUE: ReadonlyMap<string, { status: number }> = new Map(Object.entries(ERROR_CATALOGUE))

/** Bytes of address and headers that are surely let in; 16 KiB with what the client adds. */
const HEAD_MAX = 15_000

const TEXTS = ['error', 'code', 'message', 'type', 'title', 'detail', 'instance', 'requestId']

/**
 * What is wrong with an answer, or null: a failure of ours, a status or code that the document does not promise, an error
 * body that is not the one of docs/errors.md, or a body that is none.
 */
export function faultOf(request: HostileRequest, answer: HostileAnswer): string | null {
  const { operation, method, isElsewhere } = request
  const { status, type, body } = answer
  if (status >= 500 && !isPutOff(request, answer)) return `status ${status}`
  if (method === 'HEAD') return null
  if (status < 400) {
    if (!isElsewhere && !operation.statuses.has(status)) return `status ${status}, which is not documented`
    return /^application\/json(;|$)/.test(type) && !isJson(body) ? 'a body that is no JSON' : null
  }
  if (!/^application\/(problem\+)?json/.test(type)) return `an error of type "${type}"`
  if (operation.path === '/mcp' && isRpcError(body)) return null
  return faultOfError(body, status) ?? faultOfCode(JSON.parse(body).code)

  function faultOfCode(code: string): string | null {
    const isPromised = isElsewhere || operation.codes.has(code) || isFaultOfHttp(request, code)
    return isPromised ? null : `${status} ${code}, which is not documented`
  }
}

/** A feed that is far behind, as the document says, asks for patience; what is broken does not. */
function isPutOff({ operation }: HostileRequest, { status, headers }: HostileAnswer): boolean {
  return status === 503 && headers['retry-after'] !== undefined && operation.codes.has('SERVICE_UNAVAILABLE')
}

/** What is refused before there is an operation. */
function isFaultOfHttp({ target, headers }: HostileRequest, code: string): boolean {
  if (code === 'MALFORMED_REQUEST') return /[^\x21-\x7e]/.test(target)
  return code === 'HEADERS_TOO_LARGE' && target.length + JSON.stringify(headers).length > HEAD_MAX
}

function faultOfError(body: string, status: number): string | null {
  if (!isJson(body)) return 'an error that is no JSON'
  const error: Record<string, unknown> = JSON.parse(body)
  const missing = TEXTS.filter((name) => typeof error[name] !== 'string')
  if (missing.length > 0) return `an error without ${missing.join(', ')}`
  if (error.success !== false || error.status !== status) return 'an error that does not say its status'
  if (CATALOGUE.get(String(error.code))?.status !== status)
    return `the code ${error.code} with status ${status}`
  return null
}

/** Errors of MCP's own layer are those of JSON-RPC. */
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
