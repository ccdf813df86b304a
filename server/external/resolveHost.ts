import { type LookupAddress, lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'

const TIMEOUT_MS = 2_000
const TRIES = 2
/** How long the addresses of one family wait for those of the other, whose server may never say that there are none. */
const OTHER_FAMILY_MS = 250

/** What `node:dns` calls back with when all addresses are asked for. */
type Told = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** Finds the addresses of a name that somebody else wrote down. */
export type ResolveHost = (host: string, told: Told) => void

/** The system's own look-up, with its hosts file and search domains. */
export const resolveBySystem: ResolveHost = (host, told) => lookup(host, { all: true }, told)

/**
 * Asks name servers itself, in bounded time and about as many names at once as there are.
 *
 * The system's own look-up has two threads for the whole process and gives none back before it has ended, so that a few
 * names whose servers say nothing would keep everybody else's waiting, the database's among them. It is asked about names
 * without a dot alone, which no stranger has servers for.
 *
 * @param servers `address:port` of the name servers; those of the system, as they are at the moment, when left out.
 */
export function createResolveHost(servers?: readonly string[]): ResolveHost {
  return (host, told) => {
    if (/^[^.]*(\.localhost)?\.?$/i.test(host)) return resolveBySystem(host, told)
    addressesOf(host, servers).then(
      (addresses) => told(null, addresses),
      (error: NodeJS.ErrnoException) => told(error, []),
    )
  }
}

/** @throws Error when neither family has an address. */
async function addressesOf(host: string, servers: readonly string[] | undefined): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const found: LookupAddress[] = []
  const keep = (family: 4 | 6) => (addresses: string[]) => {
    for (const address of addresses) found.push({ address, family })
  }
  const asked = [resolver.resolve4(host).then(keep(4)), resolver.resolve6(host).then(keep(6))]
  const all = Promise.allSettled(asked)
  try {
    await Promise.any(asked)
    await Promise.race([all, pause(OTHER_FAMILY_MS)])
    return found.toSorted((a, b) => a.family - b.family)
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error
  } finally {
    resolver.cancel()
  }
}
