import { combineHeaders } from './combineHeaders.ts'
import { readNodeBody } from './readNodeBody.ts'
import { BODY_BYTES_MAX, type BodyLimits, type ReceivedBody } from './receivedBody.ts'
import type { RequestFacts } from './requestFacts.ts'
import type { VerificationFields } from './verificationFields.ts'

/** The parts of a Node request that are read, with those that Express and Fastify add. */
export type NodeRequest = {
  method?: string | undefined
  url?: string | undefined
  /** Express: the path before a router removed its prefix. */
  originalUrl?: string | undefined
  /** Express, Fastify: takes trusted proxies into account. */
  ip?: string | undefined
  /** Express, Fastify: `https` behind a trusted proxy. */
  protocol?: string | undefined
  /** Those of Node, or a `Headers`. */
  headers: Record<string, string | string[] | undefined> | Headers
  readonly rawHeaders?: string[] | undefined
  /** Express, Fastify: what a parser made of the body. */
  body?: unknown
  /** The bytes of the body, if `captureBody` or a parser has stored them. */
  rawBody?: string | Uint8Array | undefined
  /** Fastify: the request of Node. */
  readonly raw?: NodeRequest | undefined
  socket?: { remoteAddress?: string | undefined; encrypted?: boolean | undefined } | undefined
}

/** The parts of a Node response that tell when the caller has disconnected. */
export type NodeResponse = {
  once?(event: 'close', listener: () => void): unknown
  readonly destroyed?: boolean | undefined
}

/**
 * Reads the facts of a Node request, first its body, if the digest of that matters. Their signal aborts if the response
 * closes early, when the caller disconnects.
 *
 * @param describe Returns what the application knows of the request.
 */
export async function readNodeFacts<Request extends NodeRequest>(
  req: Request,
  res: NodeResponse | undefined,
  options: {
    bodyBytesMax?: number | undefined
    describeRequest?(req: Request): VerificationFields | Promise<VerificationFields>
    useValueOf?(req: Request): number | undefined
    bodyLimits?: BodyLimits | undefined
  },
): Promise<RequestFacts> {
  const { bodyBytesMax = BODY_BYTES_MAX, bodyLimits } = options
  const body = req.rawBody ?? (await readNodeBody(req.raw ?? req, bodyBytesMax, bodyLimits))
  const fields = options.describeRequest && (await options.describeRequest(req))
  return new NodeFacts(req, res, { body, fields, useValue: options.useValueOf?.(req) })
}

/** A class, because objects with an accessor of their own take long to create. */
class NodeFacts implements RequestFacts {
  readonly method: string | undefined
  readonly target: string
  readonly headers: NodeRequest['headers']
  readonly sourceIp: string | undefined
  readonly scheme: string
  readonly body: ReceivedBody | undefined
  readonly fields: VerificationFields | undefined
  readonly useValue: number | undefined
  readonly #res: NodeResponse | undefined
  #signal: AbortSignal | undefined

  constructor(
    req: NodeRequest,
    res: NodeResponse | undefined,
    { body, fields, useValue }: Pick<RequestFacts, 'body' | 'fields' | 'useValue'>,
  ) {
    this.method = req.method
    this.headers = combineHeaders(req.headers, req.rawHeaders ?? req.raw?.rawHeaders)
    this.sourceIp = req.ip ?? req.socket?.remoteAddress
    this.scheme = req.protocol ?? (req.socket?.encrypted ? 'https' : 'http')
    this.target = readTarget(req, this.scheme)
    this.body = body
    this.fields = fields
    this.useValue = useValue
    this.#res = res
  }

  /** Created only for a request that is held: aborting one costs as much as everything else here. */
  get signal(): AbortSignal {
    this.#signal ??= createDisconnectSignal(this.#res)
    return this.#signal
  }
}

/** Over HTTP/2 the host is a part of the target, and `Host` may be missing or another one. Source: RFC 9113 §8.3.1. */
function readTarget({ originalUrl, url = '/', headers }: NodeRequest, scheme: string): string {
  const target = originalUrl ?? url
  const { ':authority': authority } = headers as Record<string, string | undefined>
  return authority === undefined || !target.startsWith('/') ? target : `${scheme}://${authority}${target}`
}

function createDisconnectSignal(res: NodeResponse | undefined): AbortSignal {
  const disconnected = new AbortController()
  res?.once?.('close', () => disconnected.abort())
  // A response that is already closed emits no further event.
  if (res?.destroyed) disconnected.abort()
  return disconnected.signal
}
