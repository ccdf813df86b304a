import { createFetch, type SendingAgent, type ToolRequest } from './createFetch.ts'
import { RefusedError } from './refusedError.ts'

/** A schema of a tool's input: of zod, or of another library that implements Standard Schema. */
export type InputSchema = {
  readonly '~standard': {
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined
  }
}

/** The input that a schema yields. */
export type InputOf<Schema extends InputSchema> = NonNullable<Schema['~standard']['types']>['output']

/** What a tool does for a model: what it is for, what it takes, and how it asks a counterparty. */
export type ToolDescription<Schema extends InputSchema, Output> = ToolRequest & {
  /** Tells the model what the tool is for. */
  description: string
  inputSchema: Schema
  /**
   * Does the work. `fetch` sends requests as the agent, waits for its owner, and ends if the call of the tool is cancelled;
   * what a counterparty refuses is thrown as `RefusedError`.
   */
  run(input: InputOf<Schema>, fetch: typeof globalThis.fetch): Promise<Output>
}

/**
 * Creates the function that a framework calls for a tool. If a counterparty refuses, it returns why, in words for the model:
 * not every framework shows a model what a tool throws.
 *
 * @throws Whatever else the work throws.
 */
export function createToolRun<Schema extends InputSchema, Output>(
  agent: SendingAgent,
  { run, description: _, inputSchema: __, ...request }: ToolDescription<Schema, Output>,
) {
  const fetchAsAgent = createFetch(agent, request)
  return async (input: InputOf<Schema>, signal?: AbortSignal): Promise<Output | string> => {
    try {
      return await run(input, (target, init) => fetchAsAgent(target, signal ? { signal, ...init } : init))
    } catch (error) {
      if (error instanceof RefusedError) return error.message
      throw error
    }
  }
}
