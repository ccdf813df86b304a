import { compileRouteGate } from './compileRouteGate.ts'
import type { EndpointRoute, VerifyClient } from './createVerifyClient.ts'

type Gate = ReturnType<typeof compileRouteGate>

type RouteGatesConfig = {
  client: Pick<VerifyClient, 'readRoutes'>
  counterpartyId: string | undefined
  /** Stand in for those the service holds. */
  routes: readonly EndpointRoute[] | undefined
  warn: (message: string) => void
  /** Epoch milliseconds. */
  now?: () => number
}

const KEPT_MS = 60_000
/** Where a platform ends what a request began together with the request, a fetch may never end; another one is begun then. */
const PENDING_MAX_MS = 30_000

/**
 * Holds the gate that applies now: from configured routes, or from those the service keeps for the endpoint.
 *
 * Fetched routes are used for a minute and then renewed behind the scenes; when the renewal fails the old ones stay.
 * The first fetch has to succeed, which also shows that the key owns the endpoint.
 *
 * Source: Spec: Versioning, v2.3.7 and client library 5.13.0.
 */
export function createRouteGates(config: RouteGatesConfig): () => Promise<Gate> {
  const { client, counterpartyId, warn, now = Date.now } = config
  if (config.routes !== undefined || counterpartyId === undefined) {
    const gate = compileRouteGate(config.routes ?? [])
    return async () => gate
  }
  let held: { gate: Gate; until: number } | undefined
  let pending: { gate: Promise<Gate>; since: number } | undefined
  const fetchGate = async (since: number) => {
    const gate = compileRouteGate(await client.readRoutes(counterpartyId))
    // One that another was begun instead of tells nothing new.
    if (pending === undefined || pending.since === since) held = { gate, until: now() + KEPT_MS }
    return gate
  }
  const fetchOnce = () => {
    if (pending !== undefined && now() - pending.since < PENDING_MAX_MS) return pending.gate
    const since = now()
    const own = { gate: fetchGate(since), since }
    const end = () => {
      if (pending === own) pending = undefined
    }
    own.gate.then(end, end)
    pending = own
    return own.gate
  }
  return async () => {
    if (held !== undefined && now() < held.until) return held.gate
    const fetched = fetchOnce()
    if (held === undefined) return fetched
    held = { ...held, until: now() + KEPT_MS }
    fetched.catch((error: unknown) => warn(`the routes of ${counterpartyId} could not be renewed: ${error}`))
    return held.gate
  }
}
