import { type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { ApiError } from '../../errors.ts'
import { buildErrorBody } from '../../middleware/buildErrorBody.ts'
import type { WaitingCall } from '../../middleware/call.ts'
import type { McpTool } from './createMcpTools.ts'

export type McpTools = Readonly<Record<string, McpTool>>

const toolParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
})

/**
 * Calls a tool; a refusal by the API is a result with `isError`.
 *
 * @throws McpError for invalid parameters and unknown tools; anything else is a defect.
 */
export async function callMcpTool(
  tools: McpTools,
  sent: unknown,
  call: WaitingCall,
): Promise<CallToolResult> {
  const params = toolParams.safeParse(sent)
  if (!params.success)
    throw new McpError(ErrorCode.InvalidParams, 'expected the name of a tool and an object')
  const { name, arguments: given = {} } = params.data
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`)
  try {
    return toResult((await tool.run(given, call)).body, false)
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code === 'INTERNAL_ERROR') throw thrown
    return toResult(buildErrorBody(thrown, `/mcp#${name}`, call.requestId), true)
  }
}

function toResult(body: unknown, isError: boolean): CallToolResult {
  const structuredContent = body as Record<string, unknown>
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent, isError }
}

export type ToolDescription = ReturnType<typeof describeTools>[number]

/** Describes the tools as `tools/list` returns them. */
export function describeTools(tools: McpTools) {
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
