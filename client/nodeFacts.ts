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

/** What a gateway is told of a Node request. */
export function nodeFacts(req: NodeRequest, fields: VerificationFields | undefined): RequestFacts {
  return {
    target: req.originalUrl ?? req.url ?? '/',
    headers: req.headers,
    sourceIp: req.ip ?? req.socket?.remoteAddress,
    scheme: req.protocol ?? (req.socket?.encrypted ? 'https' : 'http'),
    fields,
    ...(req.method === undefined ? {} : { method: req.method }),
  }
}
