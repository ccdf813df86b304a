import { readHeaders } from '../http/readHeaders.ts'
import { contradictsHost } from './contradictsHost.ts'
import type { GatewayOutcome } from './createGateway.ts'
import { buildRefusal } from './gatewayRefusal.ts'
import type { NodeRequest } from './readNodeFacts.ts'

/** Refuses a request, with 400, whose target contradicts its host; returns undefined for any other. */
export function refuseTarget(target = '/', host?: string): GatewayOutcome | undefined {
  if (!contradictsHost(target, host)) return undefined
  const message = 'The target of the request does not name the host of its Host header, or names a user.'
  return { passes: false, refusal: buildRefusal(400, 'invalid_target', message, {}) }
}

/** The same for a request of Node. */
export function refuseNodeTarget({ originalUrl, url, headers }: NodeRequest): GatewayOutcome | undefined {
  const target = originalUrl ?? url
  // Reading all headers takes longer than the rest.
  return target?.startsWith('/') ? undefined : refuseTarget(target, readHeaders(headers).host)
}
