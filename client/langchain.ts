import type { SendingAgent } from './tools/createFetch.ts'
import { createToolRun, type InputOf, type InputSchema, type ToolDescription } from './tools/createToolRun.ts'

export type { SendingAgent, ToolRequest } from './tools/createFetch.ts'
export type { InputOf, InputSchema, ToolDescription } from './tools/createToolRun.ts'

/**
 * Describes a tool that asks counterparties as an agent, for `tool` of LangChain: `tool(...describeTool(agent, {…}))`.
 *
 * Requests carry proof, wait for the agent's owner, and a refusal is returned to the model in words.
 */
export function describeTool<Schema extends InputSchema, Output, Name extends string>(
  agent: SendingAgent,
  description: ToolDescription<Schema, Output> & { name: Name },
) {
  const { name, ...rest } = description
  const run = createToolRun(agent, rest)
  const call = (input: InputOf<Schema>, config?: { signal?: AbortSignal | undefined }) =>
    run(input, config?.signal)
  return [call, { name, description: rest.description, schema: rest.inputSchema }] as const
}
