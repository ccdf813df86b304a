import type { IncomingMessage } from 'node:http'
import { buildProblem } from '../sendRefusal.ts'

/**
 * Headers of requests that have one value: node:http reads the first of several, and others the last.
 *
 * Source: RFC 9110 §5.3.
 */
const SINGLE: ReadonlySet<string> = new Set([
  ...['authorization', 'content-length', 'content-location', 'content-range', 'content-type', 'date', 'from'],
  ...['host', 'if-modified-since', 'if-range', 'if-unmodified-since', 'max-forwards', 'origin'],
  ...['proxy-authorization', 'range', 'referer', 'user-agent'],
])

/** Of more, some versions of node:http show none in `headers`, which is what is verified. */
const COUNT_MAX = 1_000

/** Returns the refusal of a request that repeats a header of one value, or has too many; undefined for any other. */
export function findRepeatProblem({
  rawHeaders,
}: Pick<IncomingMessage, 'rawHeaders'>): ReturnType<typeof buildProblem> | undefined {
  if (rawHeaders.length > COUNT_MAX * 2)
    return buildProblem(431, `A request has at most ${COUNT_MAX} headers.`)
  const found = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase().replaceAll('_', '-') ?? ''
    if (found.has(name)) return buildProblem(400, `A request has one ${name} header.`)
    if (SINGLE.has(name)) found.add(name)
  }
  return undefined
}
