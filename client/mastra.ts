import type { SendingAgent } from './tools/createFetch.ts'
import { createToolRun, type InputOf, type InputSchema, type ToolDescription } from './tools/createToolRun.ts'

export type { SendingAgent, ToolRequest } from './tools/createFetch.ts'
export type { InputOf, InputSchema, ToolDescription } from './tools/createToolRun.ts'

/**
 * Describes a tool that asks counterparties as an agent, for `createTool` of Mastra: `createTool(describeTool(agent, {…}))`.
 *
 * Requests carry proof, wait for the agent's owner, and a refusal is returned to the model in words.
 */
export function describeTool<Schema extends InputSchema, Output, Id extends string>(
  agent: SendingAgent,
  description: ToolDescription<Schema, Output> & { id: Id },
) {
  const { id, ...rest } = description
  const run = createToolRun(agent, rest)
  return {
    id,
    description: rest.description,
    inputSchema: rest.inputSchema,
    execute: (input: InputOf<Schema>, context?: { abortSignal?: AbortSignal | undefined }) =>
      run(input, context?.abortSignal),
  }
}
