import type { createAgentClient } from '../agent/createAgentClient.ts'
import type { Intent } from '../agent/createIntentProof.ts'
import { readWaitMs } from '../agent/readWaitMs.ts'
import { pause } from '../http/pause.ts'
import { createAttempts } from './createAttempts.ts'
import { registryOriginOf, type ToolRequest } from './createFetch.ts'
import { describeRefusal } from './describeRefusal.ts'
import { type Refusal, RefusedError } from './refusedError.ts'

/** The parts of `createAgentClient` that call tools. */
export type CallingAgent = Pick<ReturnType<typeof createAgentClient>, 'mcpMeta' | 'intentProof' | 'during'>

/** A call of a tool. */
export type ToolCall = { name: string; arguments?: Record<string, unknown> | undefined }

/** The part of an MCP client that calls tools, such as `Client` of the official SDK. */
export type ToolClient<Result> = {
  callTool(
    call: ToolCall & { _meta: Record<string, string> },
    resultSchema: undefined,
    options: { signal?: AbortSignal },
  ): Promise<Result>
}

/** What holds for all calls: purpose, counterparty, how long to wait for the owner. */
export type CallerOptions = ToolRequest & {
  /** Waits before a call is repeated; by default a timer. */
  wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
}

/** What holds for one call. */
export type CallOptions = {
  /** What the agent commits to in an intent proof, beside the purpose: only facts that the server reports. Needs a key. */
  intent?: Omit<Intent, 'agentId' | 'purpose'> | undefined
  signal?: AbortSignal | undefined
}

/** The result of a call that was refused: its text tells a model why. */
export type RefusedCall = { content: { type: 'text'; text: string }[]; isError: true }

/** Where our gate puts the whole refusal. */
const REFUSAL = 'X-Svc-Refusal'
/** As long as our gateways ask for. */
const PAUSE_MS = 5_000

/**
 * Creates a function that calls the tools of an MCP server as the agent, over any transport: each call has the agent's
 * credentials in `_meta`, and a new intent proof if it states an `intent`.
 *
 * A call that the owner has to approve is repeated for `waitMs`; an equal call continues the same attempt later. If a call
 * is refused, the text of its result tells the model why.
 *
 * @throws Error at once if `waitMs` is no number. A call throws the reason of the signal once that is aborted; otherwise as
 *   the MCP client, and as `createIntentProof`.
 */
export function createToolCaller<Result>(
  agent: CallingAgent,
  client: ToolClient<Result>,
  { waitMs = 0, wait = pause, counterpartyId, ...presented }: CallerOptions = {},
) {
  const limitMs = readWaitMs(waitMs)
  const attempts = createAttempts()
  const { purpose } = presented
  const send = async (call: ToolCall, { intent, signal }: CallOptions, attemptId: string | undefined) => {
    const proof = intent && (await agent.intentProof({ ...intent, purpose }))
    const { _meta } = agent.mcpMeta({ ...presented, attemptId, proof })
    return client.callTool({ ...call, _meta }, undefined, signal ? { signal } : {})
  }

  return async (call: ToolCall, options: CallOptions = {}): Promise<Result | RefusedCall> => {
    const { intent, signal } = options
    const names = [counterpartyId, intent?.audience].filter((name) => name !== undefined)
    const identity = JSON.stringify([call.name, call.arguments])
    const registryOrigin = registryOriginOf(agent)
    const deadline = Date.now() + limitMs
    return agent.during(names, async () => {
      for (;;) {
        const sent = send(call, options, attempts.find(identity))
        const { result, refusal } = await readOutcome(sent, registryOrigin)
        attempts.note(identity, refusal)
        if (refusal === null) return result
        if (refusal.attemptId === undefined || Date.now() + PAUSE_MS > deadline) return refuse(refusal.text)
        await wait(PAUSE_MS, signal)
        signal?.throwIfAborted()
      }
    })
  }
}

type Outcome<Result> = { result: Result; refusal: null } | { result?: undefined; refusal: Refusal }

async function readOutcome<Result>(
  sent: Promise<Result>,
  registryOrigin: string | undefined,
): Promise<Outcome<Result>> {
  try {
    const result = await sent
    const refusal = describeRefusal(findRefusal(result), registryOrigin)
    return refusal === null ? { result, refusal } : { refusal }
  } catch (error) {
    // By a gateway in front of the server, if the transport sends with `createFetch`.
    if (!(error instanceof RefusedError)) throw error
    const { code, message: text, refusal: body } = error
    return { refusal: { code, text, body } }
  }
}

/** A gate describes the refusal in `_meta`; a server that uses our gateway has it as the text of a failed call. */
function findRefusal(result: unknown): unknown {
  const { _meta, isError, content } = result as {
    _meta?: Record<string, unknown>
    isError?: boolean
    content?: { text?: unknown }[]
  }
  if (isError !== true) return undefined
  if (_meta?.[REFUSAL] !== undefined) return _meta[REFUSAL]
  try {
    return JSON.parse(String(content?.[0]?.text))
  } catch {
    return undefined
  }
}

function refuse(text: string): RefusedCall {
  return { content: [{ type: 'text', text }], isError: true }
}
