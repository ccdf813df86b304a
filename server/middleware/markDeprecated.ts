import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../services/principal.ts'

/** Midnight (UTC) of the day on which signed requests could first name their service. */
const SINCE = '@1795910400'
const EXPLAINED = '</docs/agents#signed-requests>; rel="deprecation"; type="text/html"'

/**
 * Marks the response to a request that was signed without naming the service; this form is accepted until version 1.0.
 *
 * Source: RFC 9745 §2, §3.
 */
export function markDeprecated(principal: Principal, req: IncomingMessage, res: ServerResponse): void {
  if (principal.kind !== 'signature' || req.headers['x-svc-service'] !== undefined) return
  res.setHeader('Deprecation', SINCE)
  res.setHeader('Link', EXPLAINED)
}
