import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  ErrorCode,
  InitializeRequestSchema,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Answer, Call, WaitingCall } from '../../middleware/call.ts'
import {
  answerModernMessage,
  isModernMessage,
  type ModernServer,
  UNSUPPORTED_VERSION,
} from './answerModernMessage.ts'
import { callMcpTool, describeTools } from './callMcpTool.ts'
import { createMcpTools, type McpParts } from './createMcpTools.ts'
import { LEGACY_VERSIONS, negotiateVersion, SUPPORTED_VERSIONS } from './protocolVersions.ts'

type McpAnswer = Answer & { contentType: string; body: string }

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
 * Creates the function that answers one message of the Model Context Protocol, of a revision with or without a handshake.
 */
export function createMcpServer(parts: McpParts): (call: WaitingCall) => Promise<McpAnswer> {
  const tools = createMcpTools(parts)
  const info = { name: 'agent-registry', version: parts.mcp.version }
  const server = { info, instructions: INSTRUCTIONS, tools, list: describeTools(tools) }
  return async (call) => {
    if (isModernMessage(call.body, call)) return await answerModernMessage(server, call)
    return refuseVersion(call) ?? (await answerLegacyMessage(parts, server, call))
  }
}

/** The library would accept revisions that it supports and this server does not. */
function refuseVersion(call: Call): McpAnswer | null {
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
  call: WaitingCall,
): Promise<McpAnswer> {
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
    // Internal errors are reported and logged where all others are.
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
