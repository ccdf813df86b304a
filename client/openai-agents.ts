import type { SendingAgent } from './tools/createFetch.ts'
import { createToolRun, type InputOf, type InputSchema, type ToolDescription } from './tools/createToolRun.ts'

export type { SendingAgent, ToolRequest } from './tools/createFetch.ts'
export type { InputOf, InputSchema, ToolDescription } from './tools/createToolRun.ts'

/**
 * Describes a tool that asks counterparties as an agent, for `tool` of the OpenAI Agents SDK:
 * `tool(describeTool(agent, {…}))`.
 *
 * Requests carry proof, wait for the agent's owner, and a refusal is returned to the model in words.
 */
export function describeTool<Schema extends InputSchema, Output>(
  agent: SendingAgent,
  description: ToolDescription<Schema, Output> & { name: string },
) {
  const { name, ...rest } = description
  const run = createToolRun(agent, rest)
  return {
    name,
    description: rest.description,
    parameters: rest.inputSchema,
    execute: (input: InputOf<Schema>, _context?: unknown, call?: { signal?: AbortSignal | undefined }) =>
      run(input, call?.signal),
  }
}
