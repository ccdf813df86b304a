import type { RequestFacts } from './requestFacts.ts'
import type { VerificationFields } from './verificationFields.ts'

/** What is read of a Node request; members of Express's and Fastify's where there are any. */
export type NodeRequest = {
  method?: string
  url?: string
  /** Express: the path before a router took its part. */
  originalUrl?: string
  /** Express, Fastify: honours what proxies they trust. */
  ip?: string
  /** Express, Fastify: `https` behind a proxy they trust. */
  protocol?: string
  headers: Record<string, string | string[] | undefined>
  socket?: { remoteAddress?: string | undefined; encrypted?: boolean }
}

/** What is listened to of a Node response. */
export type NodeResponse = {
  once?(event: 'close', listener: () => void): unknown
  readonly destroyed?: boolean
}

/** What a gateway is told of a Node request, and of the response that closes early when the caller has gone. */
export function nodeFacts(
  req: NodeRequest,
  res: NodeResponse | undefined,
  fields: VerificationFields | undefined,
): RequestFacts {
  const gone = new AbortController()
  res?.once?.('close', () => gone.abort())
  // One that left before this was asked does not leave again.
  if (res?.destroyed) gone.abort()
  return {
    signal: gone.signal,
    target: req.originalUrl ?? req.url ?? '/',
    headers: req.headers,
    sourceIp: req.ip ?? req.socket?.remoteAddress,
    scheme: req.protocol ?? (req.socket?.encrypted ? 'https' : 'http'),
    fields,
    ...(req.method === undefined ? {} : { method: req.method }),
  }
}
