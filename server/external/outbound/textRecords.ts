import { Resolver } from 'node:dns/promises'

/** Reads the TXT records of a name, each with its parts joined; empty if there are none. */
export type ReadTextRecords = (name: string) => Promise<string[]>

const TIMEOUT_MS = 2_000
const TRIES = 2
/** How many records are considered; a zone may publish any number. */
const RECORDS_MAX = 100

/**
 * Creates a reader of TXT records from the system's name servers, or from those given (`address:port`).
 *
 * @throws Error when no server answers in time.
 * Source: RFC 1035 §3.3.14; RFC 7208 §3.3 (parts of a record are joined without a space).
 */
export function createReadTextRecords(servers: readonly string[] | undefined): ReadTextRecords {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers([...servers])
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name)
      return records.slice(0, RECORDS_MAX).map((parts) => parts.join(''))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOTFOUND' || code === 'ENODATA') return []
      throw error
    }
  }
}
