import { parseUrl } from '@svc/core/url/url.ts'
import type { HeadersToRead } from '../http/readHeaders.ts'
import type { ReceivedBody } from './receivedBody.ts'
import type { VerificationFields } from './verificationFields.ts'

/** Facts of a request that a gateway uses, on any transport. */
export type RequestFacts = {
  method?: string | undefined
  /** Path with query, or an absolute URL. */
  target?: string | undefined
  /** An object as Node has it, or a `Headers`. */
  headers?: HeadersToRead | undefined
  /**
   * The `metadata` of an A2A message or the `_meta` of an MCP request; takes precedence over the headers, which may not
   * name another agent.
   */
  metadata?: Readonly<Record<string, unknown>> | undefined
  sourceIp?: string | undefined
  /** `https` if the request came over TLS, possibly to a trusted proxy. */
  scheme?: string | undefined
  /**
   * The body, empty if there is none: the digests that a signature and an intent proof state are compared with it. Leave it
   * out only on transports without one.
   */
  body?: ReceivedBody | undefined
  /**
   * What is compared with the endpoint's routes, where method and path are the same for every request (MCP); default those.
   * The method also says whether a caller that may only read may send the request.
   */
  route?: { method: string; path: string } | undefined
  /** What only the application knows: `transactionValue`, `currency`, `action`, a more precise `resource` … */
  fields?: VerificationFields | undefined
  /**
   * With `reuseGrantSeconds`: what this request takes of the `transactionValue` that is asked for, so that one grant covers
   * several requests; default all of it.
   */
  useValue?: number | undefined
  /** Aborts when the caller disconnects, which ends the wait of a request held for approval. */
  signal?: AbortSignal | undefined
}

/**
 * Returns the path as routers see it; a target may be an absolute URL (RFC 9112 §3.2.2) or contain a fragment.
 *
 * The path of an absolute URL is returned unresolved, because some routers resolve no dot segments. A URL in which parsers
 * find different paths (`http:///a/b`: `/a/b` or `/b`) is returned whole, so that the service decides on each of them.
 */
export function pathOf({ target: sent = '/' }: RequestFacts): string {
  // Node accepts no white space, but its parser of URLs, which Express uses, ignores it.
  const target = sent.trim()
  const [, path] = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]*([^?#]*)/i.exec(target) ?? []
  if (path !== undefined) return isPathOf(target, path) ? path || '/' : target
  if (target.startsWith('/')) return target.split(/[?#]/)[0] || '/'
  return parseUrl(target) === null ? `/${target}`.split(/[?#]/)[0] || '/' : target
}

function isPathOf(url: string, path: string): boolean {
  const read = parseUrl(url)?.pathname
  return read !== undefined && read === parseUrl(`http://host${path}`)?.pathname
}
