import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Answer, Call, WaitingCall } from '../../middleware/call.ts'
import { callMcpTool, type McpTools, type ToolDescription } from './callMcpTool.ts'
import { MODERN_VERSION, SUPPORTED_VERSIONS } from './protocolVersions.ts'

export type ModernServer = {
  info: { name: string; version: string }
  instructions: string
  tools: McpTools
  list: readonly ToolDescription[]
}

const PREFIX = 'io.modelcontextprotocol'
const VERSION_KEY = `${PREFIX}/protocolVersion`

const HEADER_MISMATCH = -32020
/** Error of a revision that the server does not support. */
export const UNSUPPORTED_VERSION = -32022

/** Tools change with the service only. */
const CACHING = { ttlMs: 300_000, cacheScope: 'public' } as const

const request = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({
    _meta: z.looseObject({
      [VERSION_KEY]: z.string(),
      [`${PREFIX}/clientCapabilities`]: z.looseObject({}),
    }),
  }),
})

type ModernRequest = z.output<typeof request>

type Failure = { status: number; code: number; message: string; data?: unknown }

/** Whether a message says in itself or in its header that it is of the revision without a handshake. */
export function isModernMessage(body: unknown, call: Call): boolean {
  const { params } = Object(body) as { params?: { _meta?: object } }
  return call.header('mcp-protocol-version') === MODERN_VERSION || VERSION_KEY in Object(params?._meta)
}

/**
 * Answers one message of the revision without a handshake.
 *
 * The headers repeat parts of the body for proxies, so a request in which they differ is refused: a proxy would have judged
 * another request.
 *
 * Source: MCP 2026-07-28 "Versioning and Compatibility", "Streamable HTTP", `server/discover`.
 */
export async function answerModernMessage(
  server: ModernServer,
  call: WaitingCall,
): Promise<Answer & { contentType: string; body: string }> {
  const parsed = request.safeParse(call.body)
  if (!parsed.success) {
    const message = 'expected params._meta with the protocol version and the capabilities of the client'
    return writeFailure(call.body, { status: 400, code: ErrorCode.InvalidParams, message })
  }
  const message = parsed.data
  const failure = findFailure(message, call)
  if (failure) return writeFailure(message, failure)
  if (message.id === undefined) return { status: 202, contentType: 'application/json', body: '' }
  try {
    const result = await resultOf(server, message, call)
    if (result === null) {
      const notFound = { status: 404, code: ErrorCode.MethodNotFound, message: 'Method not found' }
      return writeFailure(message, notFound)
    }
    const _meta = { [`${PREFIX}/serverInfo`]: server.info }
    return write(200, message, { result: { resultType: 'complete', ...result, _meta } })
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    return writeFailure(message, { status: 200, code: error.code, message: error.message })
  }
}

function findFailure({ method, params }: ModernRequest, call: Call): Failure | null {
  const requested = String(params._meta[VERSION_KEY])
  if (call.header('mcp-protocol-version') !== requested) return mismatch('MCP-Protocol-Version')
  if (requested !== MODERN_VERSION) {
    const data = { supported: SUPPORTED_VERSIONS, requested }
    return { status: 400, code: UNSUPPORTED_VERSION, message: 'Unsupported protocol version', data }
  }
  if (call.header('mcp-method') !== method) return mismatch('Mcp-Method')
  if (method === 'tools/call' && decodeName(call.header('mcp-name')) !== params.name)
    return mismatch('Mcp-Name')
  return null
}

function mismatch(header: string): Failure {
  return { status: 400, code: HEADER_MISMATCH, message: `Header mismatch: ${header} differs from the body` }
}

/** A name beyond plain ASCII is sent as `=?base64?…?=`. Source: MCP 2026-07-28 "Value Encoding". */
function decodeName(header: string | undefined): string | undefined {
  const encoded = header === undefined ? undefined : /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8')
}

/** Null for an unknown method. */
async function resultOf(
  { instructions, tools, list }: ModernServer,
  { method, params }: ModernRequest,
  call: WaitingCall,
): Promise<object | null> {
  switch (method) {
    case 'server/discover':
      return { supportedVersions: SUPPORTED_VERSIONS, capabilities: { tools: {} }, instructions, ...CACHING }
    case 'tools/list':
      return { tools: list, ...CACHING }
    case 'tools/call':
      return callMcpTool(tools, params, call)
    default:
      return null
  }
}

function writeFailure(sent: unknown, { status, ...error }: Failure) {
  return write(status, sent, { error })
}

function write(status: number, sent: unknown, outcome: object) {
  const { id } = Object(sent) as { id?: unknown }
  const isId = typeof id === 'string' || typeof id === 'number'
  const body = JSON.stringify({ jsonrpc: '2.0', ...(isId ? { id } : {}), ...outcome })
  return { status, contentType: 'application/json', body }
}
