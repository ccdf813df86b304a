import { type LookupAddress, lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'

const TIMEOUT_MS = 2_000
const TRIES = 2

/** What `node:dns` calls back with when all addresses are asked for. */
type Told = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** Finds the addresses of a name that somebody else wrote down. */
export type ResolveHost = (host: string, told: Told) => void

/**
 * Asks name servers itself, in bounded time and as many names at once as there are.
 *
 * The system's own look-up has two threads for the whole process and gives none back before it has ended, so that a few
 * names whose servers say nothing would keep everybody else's waiting. It is asked where that cannot be: for names
 * without a dot, and for those that the name servers do not know, which may stand in the hosts file.
 *
 * @param servers `address:port` of the name servers; those of the system when left out.
 */
export function createResolveHost(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const ask = async (host: string): Promise<LookupAddress[]> => {
    const asked = [resolver.resolve4(host), resolver.resolve6(host)]
    const [four, six] = await Promise.allSettled(asked)
    const late = [four, six].find((answer) => answer?.status === 'rejected' && isLate(answer.reason))
    const addresses = [...found(four, 4), ...found(six, 6)]
    if (addresses.length === 0 && late?.status === 'rejected') throw late.reason
    return addresses
  }
  return (host, told) => {
    const bySystem = () => lookup(host, { all: true }, told)
    if (!host.includes('.') || host.endsWith('.localhost')) return bySystem()
    ask(host).then(
      (addresses) => (addresses.length > 0 ? told(null, addresses) : bySystem()),
      (error: NodeJS.ErrnoException) => told(error, []),
    )
  }
}

function found(answer: PromiseSettledResult<string[]> | undefined, family: 4 | 6): LookupAddress[] {
  return answer?.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}

function isLate(error: unknown): boolean {
  return ['ETIMEOUT', 'ECANCELLED'].includes(String((error as { code?: unknown }).code))
}
