import type { PrivateKeyAccount } from 'viem/accounts'
import { api } from '../harness/service/api.ts'
import { signHeaders } from './participants.ts'

/** Well below the lifetime of a token. */
const RENEWED_AFTER_MS = 10 * 60_000

type Requested = { agentId?: unknown; counterpartyId?: unknown; agentToken?: unknown }

/**
 * Creates a function that adds an agent token to a request of verify-access, so that it proves its agent.
 *
 * A request without both identifiers, of an agent that is not known here or that is refused a token, is returned as it is.
 * `prove` throws the answer of a service that is unavailable.
 */
export function createAgentProver(baseUrl: string, now: () => number) {
  const accounts = new Map<string, PrivateKeyAccount>()
  const tokens = new Map<string, { token: string; issuedAt: number }>()

  async function tokenFor(svcId: string, account: PrivateKeyAccount, audience: string) {
    const known = tokens.get(svcId + audience)
    if (known !== undefined && now() - known.issuedAt < RENEWED_AFTER_MS) return known.token
    const path = `/api/agents/${svcId}/token`
    const body = { audience }
    const signing = { method: 'POST', path, body: JSON.stringify(body), timestamp: Math.floor(now() / 1000) }
    const answer = await api(baseUrl, 'POST', path, { body, headers: await signHeaders(account, signing) })
    // Without a token, the request would prove nothing and be decided differently.
    if (answer.status === 503) throw new Error(JSON.stringify(answer.body))
    const token: string | undefined = answer.body.agentToken
    if (token !== undefined) tokens.set(svcId + audience, { token, issuedAt: now() })
    return token
  }

  return {
    /** Makes an agent known with the account that registered it. */
    add: (svcId: string, account: PrivateKeyAccount) => accounts.set(svcId, account),

    async prove<Fields extends object>(request: Fields & Requested): Promise<Fields> {
      const { agentId, counterpartyId } = request
      const account = typeof agentId === 'string' ? accounts.get(agentId) : undefined
      if (account === undefined || typeof counterpartyId !== 'string' || 'agentToken' in request)
        return request
      const agentToken = await tokenFor(String(agentId), account, counterpartyId)
      return agentToken === undefined ? request : { ...request, agentToken }
    },
  }
}
