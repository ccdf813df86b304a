import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { GatewayOutcome } from '@svc/client/gateway/createGateway.ts'
import { readNodeFacts } from '@svc/client/gateway/readNodeFacts.ts'
import type { BodyLimits } from '@svc/client/gateway/receivedBody.ts'
import { removeReceived } from '@svc/client/gateway/removeReceived.ts'
import { setPassThroughHeaders } from '@svc/client/gateway/setPassThroughHeaders.ts'
import { createReusingGateway } from '@svc/client/reuse.ts'
import { closeWithin } from './closeWithin.ts'
import { buildVerdict } from './forwardAuth/buildVerdict.ts'
import { readQuestion } from './forwardAuth/readQuestion.ts'
import { createGateMetrics, type RequestOutcome } from './gateMetrics.ts'
import { KEEP_ALIVE_MS } from './keepAliveMs.ts'
import { buildUpstreamHeaders } from './proxy/buildUpstreamHeaders.ts'
import { createBodyLimits } from './proxy/createBodyLimits.ts'
import { findRepeatProblem } from './proxy/findRepeatProblem.ts'
import { findRequestProblem } from './proxy/findRequestProblem.ts'
import { forwardRequest } from './proxy/forwardRequest.ts'
import { forwardUpgrade } from './proxy/forwardUpgrade.ts'
import { hasBody } from './proxy/hasBody.ts'
import { readDecision } from './proxy/readDecision.ts'
import { readOrigin } from './proxy/readOrigin.ts'
import { createUpstream, type Upstream, UpstreamFailure } from './proxy/upstream.ts'
import { buildProblem, sendRefusal, sendSocketRefusal } from './sendRefusal.ts'
import type { GateSettings } from './settings/gateSettings.ts'

const SHOWN: { setPassThroughHeader: true } = { setPassThroughHeader: true }

/**
 * Creates the gate: each request is verified by the client's gateway, and then sent on to the server, or answered for the
 * proxy that asks.
 *
 * Without a decision nothing passes. What was verified is exactly what is sent on: method, path and body. `checkRegistry`
 * checks the key before.
 *
 * @param warn Gets a sentence about each thing that an operator should know.
 * @throws Error as `createGateway`, for settings with which it cannot verify.
 */
export function createGate(settings: GateSettings, warn: (message: string) => void) {
  const gateway = createReusingGateway({ ...settings.gateway, disableInitChecks: true, warn })
  const metrics = createGateMetrics()
  const signedBodies = createBodyLimits(settings.signedBodies)
  const upstream = settings.upstream && createUpstream(settings.upstream, settings)
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS })
  const sockets = new Set<Duplex>()

  async function verify(
    req: IncomingMessage,
    res?: ServerResponse,
    bodyLimits?: BodyLimits,
  ): Promise<GatewayOutcome> {
    const ended = metrics.startVerification()
    const outcome = await gateway.verify(async () =>
      upstream === null
        ? readQuestion(req, settings)
        : readNodeFacts(withOrigin(req, settings), res, { ...settings.gateway, bodyLimits }),
    )
    ended()
    setPassThroughHeaders(req.headers, SHOWN, outcome)
    removeReceived(req)
    return outcome
  }

  async function serve(
    req: IncomingMessage,
    res: ServerResponse,
    bodyLimits: BodyLimits,
  ): Promise<RequestOutcome> {
    const problem = upstream ? findRequestProblem(req) : findRepeatProblem(req)
    if (problem) {
      if (upstream) sendRefusal(res, problem)
      else answer(req, res, { passes: false, refusal: problem })
      return 'refused'
    }
    const outcome = await verify(req, res, bodyLimits)
    if (res.destroyed) return 'left'
    if (upstream === null) {
      answer(req, res, outcome)
      return outcomeOf(outcome)
    }
    if (!outcome.passes) sendRefusal(res, outcome.refusal)
    else await sendOn(upstream, req, res, outcome.headers)
    return outcomeOf(outcome)
  }

  async function sendOn(
    to: Upstream,
    req: IncomingMessage,
    res: ServerResponse,
    responseHeaders: Readonly<Record<string, string>>,
  ): Promise<void> {
    try {
      const headers = buildUpstreamHeaders(req, readOrigin(req, settings.trustProxy), readDecision(req))
      await forwardRequest(to, { req, res, headers, responseHeaders })
    } catch (error) {
      sendRefusal(res, explainFailure(error))
    }
  }

  async function serveUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<RequestOutcome> {
    if (upstream === null) {
      sendSocketRefusal(socket, buildProblem(426, 'Ask with an ordinary request.'))
      return 'refused'
    }
    // What follows the head belongs to the new protocol, so a body would be lost.
    const problem = hasBody(req)
      ? buildProblem(400, 'A request with a body cannot change the protocol.')
      : findRequestProblem(req)
    if (problem !== undefined) {
      sendSocketRefusal(socket, problem)
      return 'refused'
    }
    const outcome = await verify(req)
    if (socket.destroyed) return 'left'
    if (!outcome.passes) {
      sendSocketRefusal(socket, outcome.refusal)
      return outcomeOf(outcome)
    }
    const headers = buildUpstreamHeaders(req, readOrigin(req, settings.trustProxy), readDecision(req))
    await forwardUpgrade(upstream, { req, socket, head, headers }).catch((error) =>
      sendSocketRefusal(socket, explainFailure(error)),
    )
    return 'passed'
  }

  function explainFailure(error: unknown) {
    if (!(error instanceof UpstreamFailure)) throw error
    metrics.countFailure(error.kind)
    warn(`${error.message}: ${settings.upstream?.origin}`)
    return buildProblem(error.kind === 'timeout' ? 504 : 502, 'The server behind the gate did not answer.')
  }

  /** Nothing may end the process: what cannot be served ends its own connection. */
  function run(work: Promise<RequestOutcome>, connection: { destroy(): unknown }): void {
    metrics.open.inc()
    work
      .then(metrics.countRequest)
      .catch((error) => {
        warn(`a request could not be served: ${error}`)
        connection.destroy()
      })
      .finally(() => metrics.open.dec())
  }

  server.on('request', (req, res) => {
    const bodyLimits = signedBodies.open()
    // Once the server has the body; a response may go on for hours.
    req.once('end', bodyLimits.close)
    run(serve(req, res, bodyLimits).finally(bodyLimits.close), res)
  })
  server.on('upgrade', (req, socket, head) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    run(serveUpgrade(req, socket, head), socket)
  })

  return {
    server,
    metrics: metrics.registry,
    /** Takes no more requests, lets the running ones end for a while, and reports what is left to report. */
    async stop(): Promise<void> {
      await closeWithin(server, sockets, settings.graceMs)
      upstream?.close()
      await gateway.settle().catch((error) => warn(`uses of grants could not be reported: ${error}`))
    },
  }
}

/** Answers the proxy that asks. */
function answer(
  req: IncomingMessage,
  res: ServerResponse,
  outcome: Parameters<typeof buildVerdict>[0],
): void {
  const { status, headers, text } = buildVerdict(outcome, readDecision(req))
  res.writeHead(status, headers).end(text)
  req.resume()
}

function outcomeOf(outcome: GatewayOutcome): RequestOutcome {
  if (outcome.passes) return 'passed'
  return outcome.refusal.status >= 500 ? 'undecided' : 'refused'
}

/** Where a request comes from, as the client's gateway reads it of Express's requests. */
function withOrigin(
  req: IncomingMessage,
  settings: GateSettings,
): IncomingMessage & { ip?: string; protocol: string } {
  const { caller, scheme } = readOrigin(req, settings.trustProxy)
  return Object.assign(req, { protocol: scheme, ...(caller ? { ip: caller } : {}) })
}
