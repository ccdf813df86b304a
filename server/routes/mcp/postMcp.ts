import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  ErrorCode,
  InitializeRequestSchema,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { apiError, validationError } from '../../errors.ts'
import type { Answer, Call } from '../../middleware/call.ts'
import { operation } from '../operation.ts'
import {
  answerModernMessage,
  isModernMessage,
  type ModernServer,
  UNSUPPORTED_VERSION,
} from './answerModernMessage.ts'
import { callMcpTool, describeTools } from './callMcpTool.ts'
import { createMcpTools, type McpParts } from './createMcpTools.ts'
import { LEGACY_VERSIONS, negotiateVersion, SUPPORTED_VERSIONS } from './protocolVersions.ts'

const message = z.looseObject({ jsonrpc: z.literal('2.0') })

/** These match only the method: the library would report invalid parameters as internal errors. */
const toolCall = z.looseObject({ method: z.literal('tools/call') })
const initialization = z.looseObject({ method: z.literal('initialize') })

const INSTRUCTIONS =
  'A registry of agents and of the endpoints they use. register_agent registers an agent, verify_agent decides whether an agent may perform an action at an endpoint, and search_docs searches the documentation.'

/** Replaces the library's validator of elicitation responses, which takes a millisecond to create and is never used here. */
const NO_ELICITATION = {
  getValidator(): never {
    throw new Error('this server does not use elicitation')
  },
}

/**
 * The stateless MCP server: each request is independent and gets a JSON response.
 *
 * Requests from pages of other origins are rejected, which also prevents DNS rebinding.
 *
 * It serves the revision without a handshake and those with one side by side.
 *
 * Source: MCP 2025-06-18 "Transports", Streamable HTTP and Security Warning; MCP 2026-07-28 "Versioning".
 */
export const postMcp = operation({
  summary: 'Handles a message of the Model Context Protocol (streamable HTTP, stateless).',
  body: message,
  answer: message,
  otherStatuses: {
    202: { when: 'The message is a notification, which has no response' },
    404: { when: 'The message names an unknown method, in the revision 2026-07-28', answer: message },
    406: { when: '`Accept` lacks `application/json` or `text/event-stream`', answer: message },
  },
  errors: ['VALIDATION_ERROR', 'FORBIDDEN'],
  handle: (parts: McpParts) => {
    const tools = createMcpTools(parts)
    const list = describeTools(tools)
    return async (call) => {
      rejectOtherOrigin(parts, call)
      if (Array.isArray(call.body)) {
        throw validationError([{ pointer: '', code: 'batch', message: 'expected one message, not a batch' }])
      }
      const info = { name: 'agent-registry', version: parts.mcp.version }
      const server = { info, instructions: INSTRUCTIONS, tools, list }
      if (isModernMessage(call.body, call)) return answerModernMessage(server, call)
      return refuseVersion(call) ?? answerLegacyMessage(parts, server, call)
    }
  },
})

function rejectOtherOrigin({ mcp }: McpParts, call: Call): void {
  const origin = call.header('origin')
  if (origin === undefined || mcp.origins.has(origin)) return
  throw apiError('FORBIDDEN', { message: 'Pages of other origins may not call the MCP server.' })
}

/** The library would accept revisions that it supports and this server does not. */
function refuseVersion(call: Call): (Answer & { contentType: string; body: string }) | null {
  const requested = call.header('mcp-protocol-version')
  const { method, id } = Object(call.body) as { method?: unknown; id?: unknown }
  if (requested === undefined || method === 'initialize') return null
  if (LEGACY_VERSIONS.some((version) => version === requested)) return null
  const data = { supported: SUPPORTED_VERSIONS, requested }
  const error = { code: UNSUPPORTED_VERSION, message: 'Unsupported protocol version', data }
  const body = JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error })
  return { status: 400, contentType: 'application/json', body }
}

async function answerLegacyMessage(
  { mcp }: McpParts,
  { info, instructions, tools, list }: ModernServer,
  call: Call,
): Promise<Answer & { contentType: string; body: string }> {
  const failure: { thrown?: unknown } = {}
  const capabilities = { tools: {} }
  const server = new Server(info, { capabilities, instructions, jsonSchemaValidator: NO_ELICITATION })
  server.setRequestHandler(initialization, (sent) => {
    const asked = InitializeRequestSchema.safeParse(sent)
    if (!asked.success) throw new McpError(ErrorCode.InvalidParams, describeFault(asked.error))
    const protocolVersion = negotiateVersion(asked.data.params.protocolVersion)
    return { protocolVersion, capabilities, serverInfo: info, instructions }
  })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...list] }))
  server.setRequestHandler(toolCall, async (request) => {
    try {
      return await callMcpTool(tools, request.params, call)
    } catch (thrown) {
      if (thrown instanceof McpError) throw thrown
      failure.thrown = thrown
      throw new McpError(ErrorCode.InternalError, 'Internal error')
    }
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const request = new Request(`${mcp.publicUrl}/mcp`, { method: 'POST', headers: headersOf(call) })
    const response = await transport.handleRequest(request, { parsedBody: call.body ?? null })
    const text = await response.text()
    // Internal errors are written and logged where all others are.
    if ('thrown' in failure) throw failure.thrown
    return { status: response.status, body: text, contentType: 'application/json' }
  } finally {
    await server.close()
  }
}

function describeFault({ issues: [first] }: z.ZodError): string {
  return `${first?.path.join('.') ?? ''}: ${first?.message ?? 'invalid'}`
}

const FORWARDED_HEADERS = ['accept', 'content-type'] as const

function headersOf(call: Call): Record<string, string> {
  return Object.fromEntries(
    FORWARDED_HEADERS.flatMap((name) => {
      const value = call.header(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
