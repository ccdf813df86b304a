import { parseUrl } from '@svc/core/url/url.ts'
import type { AgentRequest, createAgentClient } from '../agent/createAgentClient.ts'
import { isJson } from '../agent/readHold.ts'
import { readText } from '../http/readResponse.ts'
import { createAttempts } from './createAttempts.ts'
import { describeRefusal } from './describeRefusal.ts'
import { type Refusal, RefusedError } from './refusedError.ts'

/** The parts of `createAgentClient` that send requests. */
export type SendingAgent = Pick<ReturnType<typeof createAgentClient>, 'fetch' | 'mcpMeta'>

/** What holds for all requests of a tool or client: purpose, counterparty, how long to wait for the owner. */
export type ToolRequest = Omit<AgentRequest, 'attemptId' | 'proof'>

/**
 * Creates a `fetch` for any HTTP client: it sends requests as the agent, signed if the agent has a key, and waits for the
 * owner as `waitMs` says.
 *
 * What a counterparty's gateway refuses is thrown. If a request was held for longer than `waitMs`, an equal one continues
 * the same attempt.
 *
 * @param identify Returns what two equal bodies have in common; default the whole body.
 * @throws RefusedError, whose message tells a model why; otherwise as `fetch` of the agent.
 */
export function createFetch(
  agent: SendingAgent,
  request: ToolRequest = {},
  identify: (body: string) => string = (body) => body,
): typeof fetch {
  const attempts = createAttempts()
  return async (input, init) => {
    const sent = await readRequest(input, init)
    const { url, body } = sent
    const identity = JSON.stringify([sent.method, url, typeof body === 'string' ? identify(body) : null])
    const response = await agent.fetch(url, sent, { ...request, attemptId: attempts.find(identity) })
    const refusal = await readRefusal(response, registryOriginOf(agent))
    attempts.note(identity, refusal)
    if (refusal === null) return response
    // Its connection is free only once it has been read or cancelled.
    await response.body?.cancel()
    throw new RefusedError(refusal)
  }
}

/** The origin of the registry that the agent presents. */
export function registryOriginOf(agent: Pick<SendingAgent, 'mcpMeta'>): string | undefined {
  return parseUrl(agent.mcpMeta()._meta['X-Svc-Verify'] ?? '')?.origin
}

/** A `Request` is read, because the agent's `fetch` takes an address and its settings. */
async function readRequest(
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<RequestInit & { url: string }> {
  if (typeof input === 'string' || input instanceof URL) return { ...init, url: String(input) }
  const { url, method, headers, signal, body, redirect } = input
  const bytes = body === null ? undefined : await input.clone().arrayBuffer()
  return { method, headers, signal, redirect, ...(bytes && { body: bytes }), ...init, url }
}

/** Returns null for a response that passed the gateway, of which nothing is read. */
async function readRefusal(response: Response, registryOrigin: string | undefined): Promise<Refusal | null> {
  const { status } = response
  if ((status !== 202 && status < 400) || !isJson(response)) return null
  try {
    return describeRefusal(JSON.parse((await readText(response.clone())) ?? ''), registryOrigin)
  } catch {
    return null
  }
}
