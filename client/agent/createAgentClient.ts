import { parseUrl } from '@svc/core/url/url.ts'
import { baseUrlOf } from '../http/baseUrlOf.ts'
import { createSender } from '../http/createSender.ts'
import type { AgentRegistration } from './agentRegistration.ts'
import { createPendingCounterparties } from './createPendingCounterparties.ts'
import { createPresenter, type PerRequest, type Presentation } from './createPresenter.ts'
import {
  type OwnerAccount,
  type RegisterAgentInput,
  type RegisteredAgent,
  registerAgent,
} from './registerAgent.ts'
import { signRequest } from './signRequest.ts'

/** How an agent's client is set up. */
export type AgentClientOptions = Omit<Presentation, 'svcId' | 'verifyUrl'> & {
  /** Ends in `/api`. */
  apiBaseUrl: string
  /** Known from the registration on; `register` sets it. */
  svcId?: string
  /** The key that registers the agent and asks for its tokens. */
  account?: OwnerAccount
  fetch?: typeof fetch
}

/** A token for the agent's own key. Source: docs/routes.md, `POST /api/agents/:id/token`. */
export type AgentToken = { agentToken: string; expiresIn: number }

/** What differs for one request; with `counterpartyId` the runtime challenge about it is answered while it lasts. */
export type AgentRequest = PerRequest & {
  /** `SVCE-…` */
  counterpartyId?: string
}

/**
 * The agent's client: registers the agent, presents it over HTTP, A2A and MCP, and answers runtime challenges.
 *
 * `fetch` registers the counterparty as pending before it is contacted and removes it afterwards, by its address and, where
 * the request names it, its identifier.
 *
 * @throws Error at once when `apiBaseUrl` cannot be called or does not end in `/api`.
 * Source: Spec: Client library contract; Spec: Agent-side request headers; Spec: Runtime challenge.
 */
export function createAgentClient(options: AgentClientOptions) {
  const apiBaseUrl = baseUrlOf(options.apiBaseUrl)
  const { account, fetch: fetchIt = fetch, ...presentation } = options
  let svcId = options.svcId
  const pending = createPendingCounterparties()
  const known = (): string => {
    if (svcId === undefined) throw new Error('The agent has no svcId yet: give it, or register first')
    return svcId
  }
  const presenter = () => {
    return createPresenter(
      { ...presentation, svcId: known(), verifyUrl: `${apiBaseUrl}/agents/verify-access` },
      fetchIt,
    )
  }
  const key = (): OwnerAccount => {
    if (account === undefined) throw new Error('An account is needed to sign: give it to createAgentClient')
    return account
  }

  return {
    /** `fetch` with the agent's credentials as headers. */
    async fetch(input: string | URL, init: RequestInit = {}, request: AgentRequest = {}): Promise<Response> {
      const { counterpartyId, ...perRequest } = request
      const names = [...namesOf(input), ...(counterpartyId === undefined ? [] : [counterpartyId])]
      return pending.during(names, () => presenter().fetch(input, init, perRequest))
    },

    /** Goes into `message.metadata` of an A2A request. */
    a2aMetadata: (perRequest?: PerRequest) => presenter().a2aMetadata(perRequest),

    /** Goes into `params` of an MCP request. */
    mcpMeta: (perRequest?: PerRequest) => presenter().mcpMeta(perRequest),

    /** Answers a parsed challenge of the service. */
    challenge: pending.challenge,

    /** Keeps a counterparty pending during work that is no `fetch` of this client, such as an MCP call. */
    during: pending.during,

    /**
     * Registers the agent with the account's signature; from then on it is the one that is presented. With the same
     * `idempotencyKey` a call that is made again, after TIMEOUT say, registers no second one (`registerAgent`).
     */
    async register(
      agent: AgentRegistration,
      options: Pick<RegisterAgentInput, 'idempotencyKey'> = {},
    ): Promise<RegisteredAgent> {
      const baseUrl = apiBaseUrl.slice(0, -'/api'.length)
      const registered = await registerAgent({ ...options, baseUrl, account: key(), agent, fetch: fetchIt })
      svcId = registered.svcId
      return registered
    },

    /** A token of 15 minutes for the agent, signed for with the account's key. */
    async token(): Promise<AgentToken> {
      const id = known()
      const send = createSender({ baseUrl: apiBaseUrl, fetch: fetchIt })
      const path = `/agents/${id}/token`
      // Where a proxy serves the service below a path of its own, that path does not reach it.
      const headers = await signRequest(key(), { method: 'POST', path: `/api${path}`, body: '' })
      const { agentToken, expiresIn } = await send<AgentToken>({
        method: 'POST',
        path,
        headers,
        repeat: 'never',
      })
      return { agentToken, expiresIn }
    },
  }
}

/** The addresses under which a service may ask about a counterparty. */
function namesOf(input: string | URL): string[] {
  const url = parseUrl(String(input))
  return url === null ? [] : [url.origin, url.origin + url.pathname.replace(/\/+$/, '')]
}
