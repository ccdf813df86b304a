import { createFetch as createAgentFetch, type SendingAgent, type ToolRequest } from './tools/createFetch.ts'

export type { SendingAgent, ToolRequest } from './tools/createFetch.ts'
export { type Refusal, RefusedError } from './tools/refusedError.ts'

/**
 * Creates the `fetch` of an A2A client, the `fetchImpl` of its transports: it sends messages as the agent, signed if the
 * agent has a key, and waits for the owner as `waitMs` says.
 *
 * If a message was held for longer than `waitMs`, an equal one continues the same attempt, whatever its `messageId`.
 *
 * @throws RefusedError, whose message tells a model why; otherwise as `fetch` of the agent. Source: A2A 1.0 §4.1.4, §9.
 */
export function createFetch(agent: SendingAgent, request: ToolRequest = {}): typeof fetch {
  return createAgentFetch(agent, request, dropIdentifiers)
}

/** Leaves out what is new in each message: the identifiers of the message and of the JSON-RPC request. */
function dropIdentifiers(body: string): string {
  try {
    const { id: _, ...request } = JSON.parse(body)
    for (const { message } of [request, request.params ?? {}]) if (message) delete message.messageId
    return JSON.stringify(request)
  } catch {
    return body
  }
}
