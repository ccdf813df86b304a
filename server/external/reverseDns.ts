import { Resolver } from 'node:dns/promises'
import { isPrivateAddress, parseIpAddress } from '@svc/core/url/ipAddress.ts'

/** How long an answer holds, and none; how many are held; how many look-ups run at once. */
const TTL_MS = 60 * 60_000
const NONE_TTL_MS = 10 * 60_000
const HELD_MAX = 50_000
const LOOK_UPS_MAX = 32
const TIMEOUT_MS = 2_000
/** Most names of one address that are confirmed: its owner writes as many as it likes. */
const NAMES_MAX = 4

export type ReverseDns = ReturnType<typeof createReverseDns>

export type ReverseDnsOptions = {
  /** `address:port` of the name servers; those of the system when left out. */
  servers?: readonly string[] | undefined
  heldMax?: number
}

/**
 * The name that an address has and that leads back to it (forward-confirmed reverse DNS).
 *
 * It answers at once from what is in memory and never waits: an address seen for the first time is looked up meanwhile, so the
 * next request knows. When too many look-ups are under way, further addresses are left for later.
 */
export function createReverseDns({ servers, heldMax = HELD_MAX }: ReverseDnsOptions = {}) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  if (servers !== undefined) resolver.setServers(servers)
  const held = new Map<string, { host: string | null; until: number }>()
  const running = new Set<string>()

  const lookUp = async (address: string, now: number): Promise<void> => {
    running.add(address)
    const host = await confirmedHost(resolver, address)
    running.delete(address)
    const [oldest] = held.keys()
    if (held.size >= heldMax && oldest !== undefined) held.delete(oldest)
    held.delete(address)
    held.set(address, { host, until: now + (host === null ? NONE_TTL_MS : TTL_MS) })
  }

  /** The confirmed name; null when there is none, or none is known yet. */
  return (address: string, now: number): string | null => {
    const known = held.get(address)
    if (known !== undefined && now < known.until) return known.host
    // What has just run out serves while it is looked up anew.
    const stale = known !== undefined && now < known.until + TTL_MS ? known.host : null
    if (!isPrivateAddress(address) && !running.has(address) && running.size < LOOK_UPS_MAX) {
      void lookUp(address, now)
    }
    return stale
  }
}

async function confirmedHost(resolver: Resolver, address: string): Promise<string | null> {
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
