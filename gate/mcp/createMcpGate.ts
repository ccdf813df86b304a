import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { combineHeaders } from '@svc/client/gateway/combineHeaders.ts'
import type { GatewayOutcome } from '@svc/client/gateway/createGateway.ts'
import { removeReceived } from '@svc/client/gateway/removeReceived.ts'
import { setPassThroughHeaders } from '@svc/client/gateway/setPassThroughHeaders.ts'
import { createReusingGateway } from '@svc/client/reuse.ts'
import { closeWithin } from '../closeWithin.ts'
import { createGateMetrics, type RequestOutcome } from '../gateMetrics.ts'
import { KEEP_ALIVE_MS } from '../keepAliveMs.ts'
import { buildUpstreamHeaders } from '../proxy/buildUpstreamHeaders.ts'
import { findRequestProblem } from '../proxy/findRequestProblem.ts'
import { forwardRequest } from '../proxy/forwardRequest.ts'
import { hasBody } from '../proxy/hasBody.ts'
import { readDecision } from '../proxy/readDecision.ts'
import { readOrigin } from '../proxy/readOrigin.ts'
import { createUpstream, UpstreamFailure } from '../proxy/upstream.ts'
import { buildProblem, sendRefusal, sendSocketRefusal } from '../sendRefusal.ts'
import type { Gate } from '../startGate.ts'
import { askForTools } from './askForTools.ts'
import { canOpenUrls } from './clientCapabilities.ts'
import { createCallGuard, type GuardedCall, readIdentity } from './createCallGuard.ts'
import { createListFilter } from './createListFilter.ts'
import { createSessions } from './createSessions.ts'
import { createToolHints } from './createToolHints.ts'
import {
  type Answer,
  buildError,
  ERROR_CODES,
  isObject,
  isRequestId,
  type Message,
  type RequestId,
} from './jsonRpc.ts'
import type { McpSettings } from './mcpSettings.ts'
import type { ToolCall } from './readMessages.ts'
import { type ReadPost, readPost } from './readPost.ts'
import { type SendingBack, sendBackMessages } from './sendBackMessages.ts'

type Exchange = { req: IncomingMessage; res: ServerResponse; target: string }
type Posted = Extract<ReadPost, { ok: true }>
type Guarded = ReadonlyMap<Message, GuardedCall>

const NOTHING: GatewayOutcome = { passes: false, refusal: { status: 403, headers: {}, body: {}, text: '' } }
/** Where clients learn how to sign in at the server. Source: RFC 9728 §3.1; RFC 8414 §3.1. */
const OAUTH_METADATA = /^\/\.well-known\/oauth-[\w-]+(?:\/[\w~-][\w.~-]*)*$/
const READING = ['GET', 'HEAD', 'OPTIONS']
/** Headers of a body that the gate has read, and sends with a length of its own. */
const OF_BODY = ['content-length', 'transfer-encoding']
/** Headers about the caller's message, which the gate's own requests do not have. */
const OF_MESSAGE = [
  ...OF_BODY,
  'accept-encoding',
  'mcp-method',
  'mcp-name',
  'content-digest',
  'signature',
  'signature-input',
]

/**
 * Creates the gate before an MCP server over streamable HTTP: each call of a tool is verified, lists of tools are filtered,
 * and everything else passes as it is.
 *
 * Only the address of the server and the metadata of its authorisation can be reached through the gate: another path may
 * lead to an older transport of the same tools.
 *
 * @param address Of the server.
 * @param warn Receives a sentence about everything that an operator should know.
 * Source: MCP 2025-11-25 "Transports", streamable HTTP.
 */
export function createMcpGate(address: URL, settings: McpSettings, warn: (message: string) => void): Gate {
  const { rules, trustProxy } = settings
  const gateway = createReusingGateway({ ...settings.gateway, disableInitChecks: true, warn })
  const metrics = createGateMetrics()
  const upstream = createUpstream(address, settings)
  const guard = createCallGuard({ gateway, rules })
  const filter = createListFilter({ gateway, rules })
  const sessions = createSessions()
  const hints = createToolHints(settings.responseMs)
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS })
  const sessionOf = ({ headers: { 'mcp-session-id': id } }: IncomingMessage) =>
    typeof id === 'string' ? sessions.find(id) : undefined

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<RequestOutcome> {
    const { method = 'GET', url: target = '/' } = req
    setPassThroughHeaders(req.headers, {}, NOTHING)
    removeReceived(req)
    const [path = ''] = target.split('?')
    const problem = findRequestProblem(req)
    if (problem !== undefined) {
      sendRefusal(res, problem)
      return 'refused'
    }
    if (path === address.pathname && method === 'POST') return servePost({ req, res, target })
    const isKnown = path === address.pathname || (OAUTH_METADATA.test(path) && READING.includes(method))
    if (!isKnown) sendRefusal(res, buildProblem(404, 'There is no MCP server at this path.'))
    else if (![...READING, 'DELETE'].includes(method) || hasBody(req)) {
      sendRefusal(res, buildProblem(405, 'Only POST may have a body.'))
    } else {
      await passOn({ req, res, target })
      return 'passed'
    }
    return 'refused'
  }

  async function passOn({ req, res, target }: Exchange): Promise<void> {
    const isStream = req.method === 'GET' && target.split('?')[0] === address.pathname
    const { agentId } = readIdentity(req.headers, {})
    const rewrite = isStream
      ? (message: Message) => filter(message, { agentId, session: sessionOf(req) })
      : undefined
    const without = isStream ? ['accept-encoding'] : []
    await send(
      { req, res, target },
      { headers: headersFor(req, without), sending: { res, headers: {}, rewrite } },
    )
    const { 'mcp-session-id': id } = req.headers
    if (req.method === 'DELETE' && typeof id === 'string' && res.statusCode < 300) sessions.close(id)
  }

  async function servePost({ req, res, target }: Exchange): Promise<RequestOutcome> {
    const read = await readPost(req, settings.messageBytesMax).catch(() => null)
    if (read === null) return 'left'
    if (!read.ok) {
      sendAnswers(res, read.status, buildError(null, read.code, read.problem))
      return 'refused'
    }
    const guarded = await guardCalls({ req, res, target }, read)
    if (res.destroyed) return 'left'
    const answers = [...guarded.values()].flatMap(({ answer }) => answer ?? [])
    const remaining = read.messages.filter((message) => guarded.get(message)?.answer === undefined)
    if (remaining.length === 0) sendAnswers(res, 200, read.isBatch ? answers : (answers[0] ?? []))
    else await sendMessages({ req, res, target }, read, { guarded, remaining, answers })
    return outcomeOf(guarded)
  }

  /** One after the other, because they may count under the same limits. */
  async function guardCalls(exchange: Exchange, { calls, bytes }: Posted): Promise<Guarded> {
    const guarded = new Map<Message, GuardedCall>()
    for (const [message, call] of calls) {
      const ended = metrics.startVerification()
      guarded.set(message, await guardCall(exchange, message, call, bytes))
      ended()
      if (exchange.res.destroyed) break
    }
    return guarded
  }

  async function guardCall({ req, res, target }: Exchange, message: Message, call: ToolCall, body: Buffer) {
    const { caller, scheme } = readOrigin(req, trustProxy)
    const left = new AbortController()
    const leave = () => left.abort()
    res.once('close', leave)
    const session = sessionOf(req)
    const headers = [
      ...headersFor(req, OF_MESSAGE),
      ...(req.headers['mcp-method'] ? ['Mcp-Method', 'tools/list'] : []),
    ]
    const ask = askForTools({ upstream, path: target, headers, metadata: call.metadata })
    try {
      const known = await hints.find(call.name, ask, left.signal)
      if (left.signal.aborted) return { outcome: null }
      return await guard(call, {
        facts: {
          ...{
            method: 'POST',
            target,
            headers: combineHeaders(req.headers, req.rawHeaders),
            scheme,
            body,
            signal: left.signal,
          },
          sourceIp: caller || undefined,
        },
        session,
        canOpenUrls: session?.canOpenUrls === true || canOpenUrls(message),
        hints: known,
      })
    } finally {
      res.off('close', leave)
    }
  }

  async function sendMessages(
    exchange: Exchange,
    { messages, bytes, isBatch, texts }: Posted,
    { guarded, remaining, answers }: { guarded: Guarded; remaining: readonly Message[]; answers: Answer[] },
  ): Promise<void> {
    const { req, res } = exchange
    const [only] = isBatch ? [] : guarded.values()
    const outcome = only?.outcome ?? NOTHING
    setPassThroughHeaders(req.headers, { setPassThroughHeader: outcome.passes }, outcome)
    const list = messages.find(({ method }) => method === 'tools/list')
    const reader = list && {
      agentId: readIdentity(req.headers, metadataOf(list)).agentId,
      session: sessionOf(req),
    }
    // What was verified is what is sent: the bytes, without the messages that are refused.
    const kept = () => Buffer.from(`[${remaining.map((message) => texts.get(message)).join()}]`)
    const body = answers.length === 0 ? bytes : kept()
    const without = reader || answers.length > 0 ? [...OF_BODY, 'accept-encoding'] : OF_BODY
    await send(exchange, {
      headers: [...headersFor(req, without), 'Content-Length', String(body.length)],
      body,
      sending: {
        ...{ res, answers, headers: outcome.passes ? outcome.headers : {} },
        ids: remaining.flatMap(({ id, method }) => (isRequestId(id) && method !== undefined ? [id] : [])),
        rewrite: reader && ((message) => filter(message, reader)),
      },
      opening: messages.find(({ method }) => method === 'initialize'),
    })
  }

  async function send(
    { req, res, target: path }: Exchange,
    {
      headers,
      body,
      sending,
      opening,
    }: { headers: string[]; body?: Buffer; sending: SendingBack; opening?: Message | undefined },
  ): Promise<void> {
    const sendBack = async (answer: IncomingMessage) => {
      const { 'mcp-session-id': id } = answer.headers
      if (opening !== undefined && typeof id === 'string') sessions.open(id, canOpenUrls(opening))
      await sendBackMessages(answer, sending)
    }
    try {
      const given = body === undefined ? {} : { body }
      await forwardRequest(upstream, { req, res, headers, path, responseHeaders: {}, sendBack, ...given })
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      metrics.countFailure(error.kind)
      warn(`${error.message}: ${address.origin}`)
      const answers = (sending.ids ?? []).map((id) => buildFailure(id))
      const status = error.kind === 'timeout' ? 504 : 502
      sendAnswers(
        res,
        status,
        answers.length === 1 ? (answers[0] ?? []) : answers.length === 0 ? buildFailure(null) : answers,
      )
    }
  }

  function headersFor(req: IncomingMessage, without: readonly string[]): string[] {
    return buildUpstreamHeaders(req, readOrigin(req, trustProxy), readDecision(req), without)
  }

  server.on('request', (req, res) => {
    metrics.open.inc()
    serve(req, res)
      .then(metrics.countRequest)
      .catch((error) => {
        warn(`a request could not be served: ${error}`)
        res.destroy()
      })
      .finally(() => metrics.open.dec())
  })
  server.on('upgrade', (_req, socket: Duplex) => {
    socket.on('error', () => undefined)
    sendSocketRefusal(socket, buildProblem(400, 'This server does not support protocol upgrades.'))
  })

  return {
    server,
    metrics: metrics.registry,
    async stop(): Promise<void> {
      await closeWithin(server, new Set(), settings.graceMs)
      upstream.close()
      await gateway.settle().catch((error) => warn(`uses of grants could not be reported: ${error}`))
    },
  }
}

function buildFailure(id: RequestId | null): Answer {
  return buildError(id, ERROR_CODES.upstreamFailed, 'The server behind the gate did not answer.')
}

function metadataOf({ params }: Message): Readonly<Record<string, unknown>> {
  return isObject(params) && isObject(params._meta) ? params._meta : {}
}

function sendAnswers(res: ServerResponse, status: number, answers: Answer | readonly Answer[]): void {
  sendRefusal(res, { status, headers: { 'Content-Type': 'application/json' }, text: JSON.stringify(answers) })
}

function outcomeOf(guarded: Guarded): RequestOutcome {
  const all = [...guarded.values()]
  if (all.some(({ outcome }) => outcome?.passes === false && outcome.refusal.status >= 500))
    return 'undecided'
  return all.some(({ answer }) => answer !== undefined) ? 'refused' : 'passed'
}
