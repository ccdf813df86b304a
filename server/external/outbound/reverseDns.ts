import { Resolver } from 'node:dns/promises'
import { isPrivateAddress, parseIpAddress } from '@svc/core/url/ipAddress.ts'

/** How long a name, or its absence, is cached; how many results are cached; how many lookups run at once. */
const TTL_MS = 60 * 60_000
const NONE_TTL_MS = 10 * 60_000
const CACHED_MAX = 50_000
const LOOKUPS_MAX = 32
const TIMEOUT_MS = 2_000
/** How many names of one address are tried; its owner may publish any number. */
const NAMES_MAX = 4

export type ReverseDns = ReturnType<typeof createReverseDns>

export type ReverseDnsOptions = {
  /** `address:port` of the name servers; default those of the system. */
  servers?: readonly string[] | undefined
  cachedMax?: number
}

/**
 * Finds the forward-confirmed reverse DNS name of an address.
 *
 * The function returns at once from its cache and looks up a new address in the background, for the next request. While too
 * many lookups are running, further addresses are postponed.
 */
export function createReverseDns({ servers, cachedMax = CACHED_MAX }: ReverseDnsOptions = {}) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  if (servers !== undefined) resolver.setServers(servers)
  const cached = new Map<string, { host: string | null; until: number }>()
  const running = new Set<string>()

  const lookUp = async (address: string, now: number): Promise<void> => {
    running.add(address)
    const host = await findConfirmedHost(resolver, address)
    running.delete(address)
    const [oldest] = cached.keys()
    if (cached.size >= cachedMax && oldest !== undefined) cached.delete(oldest)
    cached.delete(address)
    cached.set(address, { host, until: now + (host === null ? NONE_TTL_MS : TTL_MS) })
  }

  /** Returns the confirmed name; null when there is none or it is not known yet. */
  return (address: string, now: number): string | null => {
    const known = cached.get(address)
    if (known !== undefined && now < known.until) return known.host
    // A name that has just expired is used while it is looked up again.
    const stale = known !== undefined && now < known.until + TTL_MS ? known.host : null
    if (!isPrivateAddress(address) && !running.has(address) && running.size < LOOKUPS_MAX) {
      void lookUp(address, now)
    }
    return stale
  }
}

async function findConfirmedHost(resolver: Resolver, address: string): Promise<string | null> {
  const bytes = parseIpAddress(address)?.join()
  const names = await resolver.reverse(address).catch(() => [])
  for (const name of names.slice(0, NAMES_MAX)) {
    const addresses = await (address.includes(':') ? resolver.resolve6(name) : resolver.resolve4(name)).catch(
      () => [],
    )
    if (addresses.some((found) => parseIpAddress(found)?.join() === bytes)) return name
  }
  return null
}
