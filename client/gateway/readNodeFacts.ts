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
  socket?: { remoteAddress?: string | undefined; encrypted?: boolean | undefined } | undefined
}

/** The parts of a Node response that tell when the caller has disconnected. */
export type NodeResponse = {
  once?(event: 'close', listener: () => void): unknown
  readonly destroyed?: boolean | undefined
}

/** Reads the facts of a Node request. Their signal aborts if the response closes early, when the caller disconnects. */
export function readNodeFacts(
  req: NodeRequest,
  res: NodeResponse | undefined,
  fields: VerificationFields | undefined,
): RequestFacts {
  const disconnected = new AbortController()
  res?.once?.('close', () => disconnected.abort())
  // A response that is already closed emits no further event.
  if (res?.destroyed) disconnected.abort()
  return {
    signal: disconnected.signal,
    target: req.originalUrl ?? req.url ?? '/',
    headers: req.headers,
    sourceIp: req.ip ?? req.socket?.remoteAddress,
    scheme: req.protocol ?? (req.socket?.encrypted ? 'https' : 'http'),
    fields,
    ...(req.method === undefined ? {} : { method: req.method }),
  }
}
