import type { IncomingMessage } from 'node:http'
import { passHeaders } from './passHeaders.ts'

/** What the gate writes itself, so that nobody else can. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const

/** What some servers take for the method or the path, so that they would answer another request than the verified one. */
const OVERRIDES = [
  ...['x-http-method', 'x-http-method-override', 'x-method-override'],
  ...['x-original-url', 'x-rewrite-url'],
] as const

/** Where a request came from, as the gate or a proxy that it trusts has seen it. */
export type Origin = {
  /** Address of the caller; empty if its connection is gone. */
  caller: string
  /** Addresses of the caller and of the proxies on the way, in the form of `X-Forwarded-For`. */
  forwardedFor: string
  scheme: 'http' | 'https'
}

/**
 * Builds the headers of a request to the server behind the gate: those of the caller, where it came from, and what was
 * decided.
 *
 * @param decision Headers that the gate adds, such as `X-Svc-Access-Level`; the caller's own are gone already.
 * @param without Further headers of the caller to leave out, in lower case.
 */
export function buildUpstreamHeaders(
  req: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
  { forwardedFor, scheme }: Pick<Origin, 'forwardedFor' | 'scheme'>,
  decision: Readonly<Record<string, string>>,
  without: readonly string[] = [],
): string[] {
  const { host, 'transfer-encoding': coding } = req.headers
  const built = passHeaders(req, [...FORWARDED, ...OVERRIDES, ...without])
  if (coding !== undefined && !without.includes('transfer-encoding'))
    built.push('Transfer-Encoding', 'chunked')
  built.push('X-Forwarded-For', forwardedFor, 'X-Forwarded-Proto', scheme)
  if (host !== undefined) built.push('X-Forwarded-Host', host)
  for (const [name, value] of Object.entries(decision)) built.push(name, value)
  return built
}
