import { createSharedRun } from '../http/createSharedRun.ts'
import { compileRouteGate } from './compileRouteGate.ts'
import type { EndpointRoute, VerifyClient } from './createVerifyClient.ts'

type Gate = ReturnType<typeof compileRouteGate>

type RouteGatesConfig = {
  client: Pick<VerifyClient, 'readRoutes'>
  counterpartyId: string | undefined
  /** Replace the routes that the service stores. */
  routes: readonly EndpointRoute[] | undefined
  warn: (message: string) => void
  /** Epoch milliseconds. */
  now?: () => number
}

const TTL_MS = 60_000

/**
 * Returns a function that provides the current gate, from the configured routes or those that the service stores for the
 * endpoint.
 *
 * Fetched routes are used for a minute and then refreshed in the background; if that fails, the old ones stay in use. The
 * first fetch must succeed, which also proves that the key owns the endpoint.
 *
 * Source: Spec: Versioning, v2.3.7 and client library 5.13.0.
 */
export function createRouteGates(config: RouteGatesConfig): () => Gate | Promise<Gate> {
  const { client, counterpartyId, warn, now = Date.now } = config
  if (config.routes !== undefined || counterpartyId === undefined) {
    const gate = compileRouteGate(config.routes ?? [])
    return () => gate
  }
  let cached: { gate: Gate; until: number } | undefined
  const fetchGate = createSharedRun(async (isNewest) => {
    const gate = compileRouteGate(await client.readRoutes(counterpartyId))
    if (isNewest()) cached = { gate, until: now() + TTL_MS }
    return gate
  }, now)
  return () => {
    if (cached !== undefined && now() < cached.until) return cached.gate
    const fetched = fetchGate()
    if (cached === undefined) return fetched
    cached = { ...cached, until: now() + TTL_MS }
    fetched.catch((error: unknown) =>
      warn(`the routes of ${counterpartyId} could not be refreshed: ${error}`),
    )
    return cached.gate
  }
}
