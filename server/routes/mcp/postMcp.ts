import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { ApiError, apiError, validationError } from '../../errors.ts'
import { buildErrorBody } from '../../middleware/buildErrorBody.ts'
import type { Answer, Call } from '../../middleware/call.ts'
import { operation } from '../operation.ts'
import { createMcpTools, type McpParts, type McpTool } from './createMcpTools.ts'

const message = z.looseObject({ jsonrpc: z.literal('2.0') })

/** Matches only the method of a tool call: the library validates its parameters and reports errors. */
const toolCall = z.looseObject({ method: z.literal('tools/call') })
const toolParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
})

type Tools = Readonly<Record<string, McpTool>>

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
 * Source: MCP 2025-06-18 "Transports", Streamable HTTP and Security Warning.
 */
export const postMcp = operation({
  summary: 'Handles a message of the Model Context Protocol (streamable HTTP, stateless).',
  body: message,
  answer: message,
  otherStatuses: {
    202: { when: 'The message is a notification, which has no response' },
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
      return answerMessage(parts, { tools, list }, call)
    }
  },
})

function rejectOtherOrigin({ mcp }: McpParts, call: Call): void {
  const origin = call.header('origin')
  if (origin === undefined || mcp.origins.has(origin)) return
  throw apiError('FORBIDDEN', { message: 'Pages of other origins may not call the MCP server.' })
}

async function answerMessage(
  { mcp }: McpParts,
  { tools, list }: { tools: Tools; list: ReturnType<typeof describeTools> },
  call: Call,
): Promise<Answer & { contentType: string; body: string }> {
  const failure: { thrown?: unknown } = {}
  const server = new Server(
    { name: 'agent-registry', version: mcp.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_ELICITATION },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: list }))
  server.setRequestHandler(toolCall, async (request) => {
    const params = toolParams.parse(request.params)
    const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
    try {
      return resultOf((await tool.run(params.arguments ?? {}, call)).body, false)
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code !== 'INTERNAL_ERROR') {
        return resultOf(buildErrorBody(thrown, `/mcp#${params.name}`, call.requestId), true)
      }
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

const FORWARDED_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const

function headersOf(call: Call): Record<string, string> {
  return Object.fromEntries(
    FORWARDED_HEADERS.flatMap((name) => {
      const value = call.header(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function resultOf(body: unknown, isError: boolean): CallToolResult {
  const structuredContent = body as Record<string, unknown>
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent, isError }
}

function describeTools(tools: Tools) {
  return Object.entries(tools).map(([name, { description, input, readOnlyHint }]) => ({
    name,
    description,
    inputSchema: {
      ...z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
      type: 'object' as const,
    },
    annotations: { readOnlyHint },
  }))
}
