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
import type { Answer, Call } from '../../middleware/call.ts'
import { errorBody } from '../../middleware/errorBody.ts'
import { operation } from '../operation.ts'
import { type McpParts, type McpTool, mcpTools } from './mcpTools.ts'

const message = z.looseObject({ jsonrpc: z.literal('2.0') })

/** A call of a tool by its method alone: the library holds its parameters to the protocol, and says what is wrong with them. */
const toolCall = z.looseObject({ method: z.literal('tools/call') })
const toolParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
})

type Tools = Readonly<Record<string, McpTool>>

const INSTRUCTIONS =
  'A registry of agents and of the endpoints they use. register_agent makes an agent known, verify_agent asks whether one may do something at an endpoint, search_docs explains the rest.'

/** What people fill in for a server would be checked with it; nobody is asked here, and the usual one costs a millisecond. */
const NO_FORMS = {
  getValidator(): never {
    throw new Error('no forms are sent out')
  },
}

/**
 * The MCP server, stateless: every request stands alone and is answered with JSON.
 *
 * A page of another site is refused by its `Origin`, so that a name that is led to this machine calls nothing here.
 *
 * Source: MCP 2025-06-18 "Transports", Streamable HTTP and Security Warning.
 */
export const postMcp = operation({
  summary: 'Answers a message of the Model Context Protocol (streamable HTTP, stateless).',
  body: message,
  answer: message,
  alsoAnswers: {
    202: { when: 'A notification was taken, which nothing answers' },
    406: { when: 'Accept does not name both application/json and text/event-stream', answer: message },
  },
  errors: ['VALIDATION_ERROR', 'FORBIDDEN'],
  handle: (parts: McpParts) => {
    const tools = mcpTools(parts)
    const list = listed(tools)
    return async (call) => {
      refuseOtherSite(parts, call)
      if (Array.isArray(call.body)) {
        throw validationError([{ pointer: '', code: 'batch', message: 'expected one message, not several' }])
      }
      return answerMessage(parts, { tools, list }, call)
    }
  },
})

function refuseOtherSite({ mcp }: McpParts, call: Call): void {
  const origin = call.header('origin')
  if (origin === undefined || mcp.origins.has(origin)) return
  throw apiError('FORBIDDEN', { message: 'Pages of other sites may not call this.' })
}

async function answerMessage(
  { mcp }: McpParts,
  { tools, list }: { tools: Tools; list: ReturnType<typeof listed> },
  call: Call,
): Promise<Answer & { contentType: string; body: string }> {
  const failure: { thrown?: unknown } = {}
  const server = new Server(
    { name: 'agent-registry', version: mcp.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_FORMS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: list }))
  server.setRequestHandler(toolCall, async (request) => {
    const params = toolParams.parse(request.params)
    const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`)
    try {
      return resultOf((await tool.run(params.arguments ?? {}, call)).body, false)
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code !== 'INTERNAL_ERROR') {
        return resultOf(errorBody(thrown, `/mcp#${params.name}`, call.requestId), true)
      }
      failure.thrown = thrown
      throw new McpError(ErrorCode.InternalError, 'The failure is ours')
    }
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const request = new Request(`${mcp.publicUrl}/mcp`, { method: 'POST', headers: headersOf(call) })
    const response = await transport.handleRequest(request, { parsedBody: call.body ?? null })
    const text = await response.text()
    // What is ours is written, and logged, where every other failure is.
    if ('thrown' in failure) throw failure.thrown
    return { status: response.status, body: text, contentType: 'application/json' }
  } finally {
    await server.close()
  }
}

const READ_BY_MCP = ['accept', 'content-type', 'mcp-protocol-version'] as const

function headersOf(call: Call): Record<string, string> {
  return Object.fromEntries(
    READ_BY_MCP.flatMap((name) => {
      const value = call.header(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function resultOf(body: unknown, isError: boolean): CallToolResult {
  const structuredContent = body as Record<string, unknown>
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent, isError }
}

function listed(tools: Tools) {
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
