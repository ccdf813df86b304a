import type { SendingAgent } from './tools/createFetch.ts'
import { createToolRun, type InputOf, type InputSchema, type ToolDescription } from './tools/createToolRun.ts'

export type { SendingAgent, ToolRequest } from './tools/createFetch.ts'
export type { InputOf, InputSchema, ToolDescription } from './tools/createToolRun.ts'

/**
 * Describes a tool that asks counterparties as an agent, for `tool` of the Vercel AI SDK: `tool(describeTool(agent, {…}))`.
 *
 * Requests carry proof, wait for the agent's owner, and a refusal is returned to the model in words.
 */
export function describeTool<Schema extends InputSchema, Output>(
  agent: SendingAgent,
  description: ToolDescription<Schema, Output>,
) {
  const run = createToolRun(agent, description)
  return {
    description: description.description,
    inputSchema: description.inputSchema,
    execute: (input: InputOf<Schema>, { abortSignal }: { abortSignal?: AbortSignal | undefined }) =>
      run(input, abortSignal),
  }
}
