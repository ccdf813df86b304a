import type { IncomingMessage } from 'node:http'
import { buildProblem } from '../sendRefusal.ts'

/**
 * Returns the refusal of a request whose target has a fragment; undefined if it has none. Some servers end the path at `#`, as
 * the gateway does, and others take what follows for a part of it, so they would not serve what was verified.
 *
 * Source: RFC 9112 §3.2.
 */
export function findTargetProblem({
  url = '/',
}: Pick<IncomingMessage, 'url'>): ReturnType<typeof buildProblem> | undefined {
  return url.includes('#') ? buildProblem(400, 'The target of a request has no fragment.') : undefined
}
