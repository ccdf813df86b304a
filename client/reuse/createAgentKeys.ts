import { computeThumbprint } from '../agent/computeThumbprint.ts'
import { createSender, type SenderConfig } from '../http/createSender.ts'
import { importVerifyingKey, type VerifyingKey } from '../signatures/importVerifyingKey.ts'

/** The keys of agents, by agent and thumbprint. */
export type AgentKeys = ReturnType<typeof createAgentKeys>

type Jwk = Readonly<Record<string, unknown>>
type Found = { key: VerifyingKey | undefined; at: number }

const KEYS_MAX = 5_000
/** For how long a key that the service does not publish is not looked for again. */
const ABSENT_MS = 60_000

/**
 * Creates the keys of agents, each of which is fetched once from the service and imported.
 *
 * A key is named by its thumbprint, so it never changes. Whether it is still valid is a matter of the receipt's status: the
 * service withdraws the grants of a key that is revoked.
 */
export function createAgentKeys(
  config: Pick<SenderConfig, 'fetch' | 'timeoutMs'> & { issuer: string; now: () => number },
) {
  const send = createSender({ fetch: config.fetch, timeoutMs: config.timeoutMs, baseUrl: config.issuer })
  const known = new Map<string, Found>()

  async function fetchKey(agentId: string, keyid: string): Promise<VerifyingKey | undefined> {
    const path = `/.well-known/agents/${encodeURIComponent(agentId)}/jwks.json`
    const { keys } = await send<{ keys?: unknown }>({ method: 'GET', path, retry: 'never' })
    const jwk: Jwk | undefined = Array.isArray(keys) ? keys.find((one) => one?.kid === keyid) : undefined
    if (jwk === undefined || (await computeThumbprint(jwk)) !== keyid) return undefined
    return importVerifyingKey(jwk)
  }

  return {
    /** Returns an agent's key; undefined if it has none with this thumbprint. @throws Error if its keys cannot be had. */
    async find(agentId: string, keyid: string): Promise<VerifyingKey | undefined> {
      const id = `${agentId} ${keyid}`
      const found = known.get(id)
      if (found?.key !== undefined || (found && config.now() - found.at < ABSENT_MS)) return found.key
      const key = await fetchKey(agentId, keyid)
      for (const oldest of known.keys()) {
        if (known.size < KEYS_MAX) break
        known.delete(oldest)
      }
      known.set(id, { key, at: config.now() })
      return key
    },
  }
}
