import type { IncomingMessage } from 'node:http'
import { combineHeaders } from '@svc/client/gateway/combineHeaders.ts'
import type { ReceivedBody } from '@svc/client/gateway/receivedBody.ts'
import type { RequestFacts } from '@svc/client/gateway/requestFacts.ts'
import { readHeaders } from '@svc/client/http/readHeaders.ts'
import { findCaller } from '../proxy/findCaller.ts'
import { hasBody } from '../proxy/hasBody.ts'
import type { GateSettings } from '../settings/gateSettings.ts'

/**
 * Reads what a proxy asks about: the request that it has received, without its body.
 *
 * In `headers`, as Traefik, Caddy and the examples for nginx and HAProxy do: `X-Forwarded-Method`, `X-Forwarded-Uri`,
 * `X-Forwarded-Host`, `X-Forwarded-Proto`. As the `request` itself, as Envoy does; then those headers are the
 * caller's, and mean nothing.
 *
 * A digest that a signature covers cannot be compared with a body that is not here, so a signed request with a body proves
 * nothing this way.
 *
 * @throws Error if the proxy does not state method, path, host and scheme.
 * Source: docs/gate.md.
 */
export function readQuestion(
  req: IncomingMessage,
  { question, trustProxy }: Pick<GateSettings, 'question' | 'trustProxy'>,
): RequestFacts {
  const { socket } = req
  const headers = readHeaders(combineHeaders(req.headers, req.rawHeaders))
  const {
    method,
    target,
    host = headers.host,
    scheme,
  } = question === 'headers' ? readStated(headers) : readOwn(req)
  const forwardedFor = textOf(headers['x-forwarded-for'])
  return {
    ...{ method, target, headers: { ...headers, host } },
    // The proxy that asks is one of them.
    sourceIp: findCaller(forwardedFor, Math.max(1, trustProxy)) ?? socket.remoteAddress,
    scheme: scheme === 'https' ? 'https' : 'http',
    body: mayHaveBody(method, req) ? UNREAD : NO_BODY,
  }
}

const UNREAD: ReceivedBody = { unread: 'consumed' }
const NO_BODY: ReceivedBody = new Uint8Array()

type Stated = { method: string; target: string; host?: string | undefined; scheme?: string | undefined }

/** Without one of them, what the caller says itself would count, or what holds between the proxy and the gate. */
const STATED = ['X-Forwarded-Method', 'X-Forwarded-Uri', 'X-Forwarded-Host', 'X-Forwarded-Proto'] as const

function readStated(headers: ReturnType<typeof readHeaders>): Stated {
  const [method, target, host, scheme] = STATED.map((name) => textOf(headers[name.toLowerCase()]))
  if (method === undefined || target === undefined || host === undefined || scheme === undefined) {
    throw new Error(`the proxy has to set ${STATED.join(', ')}`)
  }
  return { method, target, host, scheme }
}

function readOwn({ method = 'GET', url = '/', headers }: IncomingMessage): Stated {
  return { method, target: url, scheme: textOf(headers['x-forwarded-proto']) }
}

/** A GET can have a body, too, if its headers say so. A proxy that drops them has to drop the body as well. */
function mayHaveBody(method: string, req: IncomingMessage): boolean {
  const isReading = ['GET', 'HEAD', 'OPTIONS'].includes(method)
  return !isReading || hasBody(req) || req.headers['content-digest'] !== undefined
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
