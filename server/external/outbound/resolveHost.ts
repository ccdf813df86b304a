import { type LookupAddress, lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'

const TIMEOUT_MS = 2_000
const TRIES = 2
/** How long to wait for the other address family once one has answered; its server may never respond. */
const OTHER_FAMILY_MS = 250

/** The callback of `node:dns` for all addresses. */
type ResolveCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** Resolves a host name that a user supplied. */
export type ResolveHost = (host: string, callback: ResolveCallback) => void

/** Uses the system's lookup, with its hosts file and search domains. */
export const resolveBySystem: ResolveHost = (host, callback) => lookup(host, { all: true }, callback)

/**
 * Creates a resolver that queries name servers directly, in bounded time and with any number of names at once.
 *
 * The system's lookup has two threads for the whole process and holds one until it is done, so a few names with silent
 * servers would delay all others, including the database's. It is used only for names without a dot, for which no stranger
 * runs a name server.
 *
 * @param servers `address:port` of the name servers; default the current ones of the system.
 */
export function createResolveHost(servers?: readonly string[]): ResolveHost {
  return (host, callback) => {
    if (/^[^.]*(\.localhost)?\.?$/i.test(host)) return resolveBySystem(host, callback)
    resolveAddresses(host, servers).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}

/** @throws Error when the name has no address of either family. */
async function resolveAddresses(
  host: string,
  servers: readonly string[] | undefined,
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const found: LookupAddress[] = []
  const keep = (family: 4 | 6) => (addresses: string[]) => {
    for (const address of addresses) found.push({ address, family })
  }
  const queries = [resolver.resolve4(host).then(keep(4)), resolver.resolve6(host).then(keep(6))]
  const all = Promise.allSettled(queries)
  try {
    await Promise.any(queries)
    await Promise.race([all, pause(OTHER_FAMILY_MS)])
    return found.toSorted((a, b) => a.family - b.family)
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error
  } finally {
    resolver.cancel()
  }
}
