import type { createGateway } from '@svc/client/gateway/createGateway.ts'
import { buildListRequest, isOwnRequest } from './buildListRequest.ts'
import { buildFailedCall } from './buildRefusedCall.ts'
import { createCallSession } from './callSession.ts'
import { canOpenUrls } from './clientCapabilities.ts'
import type { ProveCall } from './createAgentProof.ts'
import { createCallGuard, readIdentity } from './createCallGuard.ts'
import { createListFilter, type Reader } from './createListFilter.ts'
import { type AskForTools, createToolHints } from './createToolHints.ts'
import {
  type Answer,
  buildError,
  ERROR_CODES,
  isObject,
  isRequestId,
  type Message,
  type RequestId,
} from './jsonRpc.ts'
import type { McpRules } from './mcpRules.ts'
import { readMessages, type ToolCall } from './readMessages.ts'
import { rewriteMessages } from './rewriteMessages.ts'

type RelayOptions = {
  gateway: Pick<ReturnType<typeof createGateway>, 'verify'>
  rules: McpRules
  /** The agent that calls, unless a call names one. */
  agentId: string | undefined
  prove: ProveCall | undefined
  /** How long the server may take for a list that the gate asks for. */
  timeoutMs: number
  toServer: (line: string | Buffer) => Promise<void>
  toClient: (line: string | Buffer) => Promise<void>
}

/**
 * Creates the relay between a client and a server at standard input and output: lines pass unchanged, except for calls that
 * are refused and lists of tools.
 *
 * While a call is verified, further lines pass, so that a call which waits for an approval holds nothing else up. A call
 * that the client cancels meanwhile is not sent.
 */
export function createStdioRelay({ gateway, rules, prove, ...options }: RelayOptions) {
  const { toServer, toClient } = options
  const guard = createCallGuard({ gateway, rules })
  const filter = createListFilter({ gateway, rules })
  const hints = createToolHints(options.timeoutMs)
  const verifying = new Map<RequestId, AbortController>()
  const running = new Set<Promise<void>>()
  /** Requests that the server has not answered, and the agents of those for a list of tools. */
  const unanswered = new Map<RequestId, Reader | null>()
  const asked = new Map<RequestId, (answer: Message | undefined) => void>()
  let session = createCallSession(false)

  async function guardCall(message: Message, call: ToolCall, line: Buffer): Promise<void> {
    const left = new AbortController()
    verifying.set(call.id, left)
    const isNamed = readIdentity({}, call.metadata).agentId !== undefined
    const known = await hints.find(call.name, askServer(call), left.signal)
    if (left.signal.aborted) return
    const { answer } = await guard(call, {
      ...{ facts: { signal: left.signal }, session, hints: known },
      canOpenUrls: session.canOpenUrls || canOpenUrls(message),
      prove: isNamed ? undefined : prove,
    })
    if (left.signal.aborted) return
    if (answer !== undefined) return toClient(JSON.stringify(answer))
    unanswered.set(call.id, null)
    return toServer(line)
  }

  function startCall(message: Message, call: ToolCall, line: Buffer): void {
    const run: Promise<void> = guardCall(message, call, line)
      .catch(() =>
        toClient(JSON.stringify(buildFailedCall(call.id, 'Refused: The call could not be verified.'))),
      )
      .finally(() => {
        verifying.delete(call.id)
        running.delete(run)
      })
    running.add(run)
  }

  function askServer({ metadata }: ToolCall): AskForTools {
    const readPage: AskForTools['readPage'] = (params, signal) => {
      const { id, text } = buildListRequest(params, metadata)
      return new Promise((resolve) => {
        const stop = () => end(undefined)
        const end = (answer: Message | undefined) => {
          signal.removeEventListener('abort', stop)
          asked.delete(id)
          resolve(answer)
        }
        asked.set(id, end)
        signal.addEventListener('abort', stop)
        void toServer(text)
      })
    }
    return { caller: 'the only client', readPage }
  }

  async function passOn(message: Message, line: Buffer): Promise<void> {
    const { id, method, params } = message
    if (method === 'initialize') session = createCallSession(canOpenUrls(message))
    if (method === 'notifications/cancelled' && isObject(params) && isRequestId(params.requestId)) {
      verifying.get(params.requestId)?.abort()
    }
    if (method !== undefined && isRequestId(id)) {
      const metadata = isObject(params) && isObject(params._meta) ? params._meta : {}
      const { agentId = options.agentId } = readIdentity({}, metadata)
      unanswered.set(id, method === 'tools/list' ? { agentId, session } : null)
    }
    await toServer(line)
  }

  function refuse(code: number, problem: string): Promise<void> {
    return toClient(JSON.stringify(buildError(null, code, problem)))
  }

  return {
    /** Takes a line of the client; null for one that is too long. */
    async readClient(line: Buffer | null): Promise<void> {
      if (line === null) return refuse(ERROR_CODES.invalidRequest, 'The message is too long.')
      const text = decodeLine(line)
      if (text === undefined) return refuse(ERROR_CODES.unparsable, 'The line is not one line of UTF-8.')
      if (text.trim() === '') return
      const read = readMessages(text)
      if (!read.ok) return refuse(read.code, read.problem)
      for (const message of read.messages) {
        // The messages of a batch are sent one by one: a part of them may be refused.
        const own = read.isBatch ? Buffer.from(read.texts.get(message) ?? '') : line
        const call = read.calls.get(message)
        if (call === undefined) await passOn(message, own)
        else startCall(message, call, own)
      }
    },

    /** Takes a line of the server; null for one that is too long. */
    async readServer(line: Buffer | null): Promise<void> {
      if (line === null) return
      const text = line.toString('utf8')
      let isOwn = false
      const rewritten = await rewriteMessages(text, async (message) => {
        const { id, method } = message
        if (method !== undefined || !isRequestId(id)) return message
        const own = asked.get(id)
        isOwn = isOwnRequest(id)
        if (own !== undefined) own(message)
        const reader = unanswered.get(id)
        unanswered.delete(id)
        return reader ? filter(message, reader) : message
      })
      if (!isOwn) await toClient(rewritten === text ? line : rewritten)
    },

    /** Resolves once no call is being verified. */
    async settled(): Promise<void> {
      await Promise.all(running)
    },

    /** Answers what the server can no longer answer. */
    async fail(): Promise<void> {
      for (const end of asked.values()) end(undefined)
      for (const [id, left] of verifying) {
        left.abort()
        unanswered.set(id, null)
      }
      for (const id of unanswered.keys()) {
        const answer: Answer = buildError(
          id,
          ERROR_CODES.upstreamFailed,
          'The server behind the gate has ended.',
        )
        await toClient(JSON.stringify(answer))
      }
    },
  }
}

/**
 * Undefined for a line that a server could read differently: bytes that are not UTF-8, and a carriage return, which ends a
 * line in some languages, so that part of a message would become a message itself.
 */
function decodeLine(line: Buffer): string | undefined {
  const end = line.at(-1) === 13 ? line.length - 1 : line.length
  if (line.subarray(0, end).includes(13)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line)
  } catch {
    return undefined
  }
}
