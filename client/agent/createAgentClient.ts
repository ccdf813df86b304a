import { listContainingUrls } from '@svc/core/url/listContainingUrls.ts'
import { parseUrl } from '@svc/core/url/url.ts'
import { createSender } from '../http/createSender.ts'
import { parseBaseUrl } from '../http/parseBaseUrl.ts'
import type { AgentRegistration } from './agentRegistration.ts'
import type { AgentSigner } from './agentSigner.ts'
import { chooseService, type ServiceChoice } from './chooseService.ts'
import { createIntentProof, type Intent } from './createIntentProof.ts'
import { createPendingCounterparties } from './createPendingCounterparties.ts'
import { createPresenter, type PerRequest, type Presentation } from './createPresenter.ts'
import {
  type OwnerAccount,
  type RegisterAgentInput,
  type RegisteredAgent,
  registerAgent,
} from './registerAgent.ts'
import { repeatWhileHeld } from './repeatWhileHeld.ts'
import { signFetch } from './signFetch.ts'
import type { SignatureOptions } from './signHttpRequest.ts'
import { signRequest } from './signRequest.ts'

/** Settings of an agent's client. */
export type AgentClientOptions = Omit<Presentation, 'svcId' | 'verifyUrl'> &
  ServiceChoice & {
    /** Ends in `/api`. */
    apiBaseUrl: string
    /** The identifier of a registered agent; `register` sets it. */
    svcId?: string | undefined
    /** The key that registers the agent and requests its tokens. */
    account?: OwnerAccount | undefined
    /** Signs the requests of `fetch`: a key of the agent, which the service has to know (`keys` of `register`). */
    key?: AgentSigner | undefined
    /** How requests are signed. */
    signature?: Omit<SignatureOptions, 'agentId'> | undefined
    fetch?: typeof fetch | undefined
    /** Waits before a request is sent again; by default a timer. */
    wait?: ((ms: number, signal?: AbortSignal | null) => Promise<void>) | undefined
  }

/** A token for the agent's own key. Source: docs/routes.md, `POST /api/agents/:id/token`. */
export type AgentToken = { agentToken: string; expiresIn: number }

/** Where and by whom a token can be presented. */
export type TokenRequest = {
  /** The counterparty: its endpoint, `SVCE-…`, or its origin. A token without one proves nothing to a counterparty. */
  audience?: string | undefined
  /** `keyid` of the key that signs the requests with the token; without one, the token is a bearer token. */
  jkt?: string | undefined
}

/** Overrides for one request. A given `counterpartyId` is pending, for runtime challenges, while the request runs. */
export type AgentRequest = PerRequest & {
  /** `SVCE-…` */
  counterpartyId?: string | undefined
  /** How long, in milliseconds, to repeat a held request while its owner decides; 0, the default, sends it once. */
  waitMs?: number | undefined
}

/**
 * Creates an agent's client, which registers the agent, presents it over HTTP, A2A and MCP, and answers runtime challenges.
 *
 * `fetch` makes the counterparty pending before contacting it and removes it afterwards. The counterparty goes by its URL
 * and, if the request names it, its identifier.
 *
 * @throws Error at once if `apiBaseUrl` cannot be called or does not end in `/api`.
 * Source: Spec: Client library contract; Spec: Agent-side request headers; Spec: Runtime challenge.
 */
export function createAgentClient(options: AgentClientOptions) {
  const apiBaseUrl = parseBaseUrl(options.apiBaseUrl)
  const { account, key, signature, wait, service, fetch: fetchIt = fetch, ...presentation } = options
  let svcId = options.svcId
  const pending = createPendingCounterparties()
  const requireSvcId = (): string => {
    if (svcId === undefined) throw new Error('The agent has no svcId: pass one, or register the agent first')
    return svcId
  }
  const presenter = () => {
    const agentId = requireSvcId()
    return createPresenter(
      { ...presentation, svcId: agentId, verifyUrl: `${apiBaseUrl}/agents/verify-access` },
      key === undefined ? fetchIt : signFetch(key, { ...signature, agentId, fetch: fetchIt }),
    )
  }
  const requireAccount = (): OwnerAccount => {
    if (account === undefined) throw new Error('Signing needs an account: pass one to createAgentClient')
    return account
  }

  return {
    /**
     * `fetch` with the agent's credentials as headers, signed if the client has a key: see `signFetch`. Redirects are not
     * followed: the redirect is the response.
     *
     * With `waitMs`, a request that the owner has to approve is sent again, with a new signature, until the owner has
     * decided or the time is up; the last response is returned. `init.signal` ends the wait. A stream can be read only
     * once, so a request with one as its body is sent once.
     */
    async fetch(input: string | URL, init: RequestInit = {}, request: AgentRequest = {}): Promise<Response> {
      const { counterpartyId, waitMs = 0, ...perRequest } = request
      const names = [...namesOf(input), ...(counterpartyId === undefined ? [] : [counterpartyId])]
      const send = (attemptId = perRequest.attemptId) =>
        presenter().fetch(input, init, { ...perRequest, attemptId })
      const isSentOnce = init.body instanceof ReadableStream
      const repetition = { waitMs: isSentOnce ? 0 : waitMs, signal: init.signal, wait }
      return pending.during(names, () => repeatWhileHeld(send, repetition))
    },

    /** Returns the credentials for `message.metadata` of an A2A request. */
    a2aMetadata: (perRequest?: PerRequest) => presenter().a2aMetadata(perRequest),

    /** Returns the credentials for `params` of an MCP request. */
    mcpMeta: (perRequest?: PerRequest) => presenter().mcpMeta(perRequest),

    /**
     * Creates an intent proof with the client's key, good once.
     *
     * @throws Error if the client has no key; otherwise as `createIntentProof`.
     */
    async intentProof(intent: Omit<Intent, 'agentId'>): Promise<string> {
      if (key === undefined) throw new Error('An intent proof needs a key: pass one to createAgentClient')
      return createIntentProof(key, { ...intent, agentId: requireSvcId() })
    },

    challenge: pending.challenge,

    /** Keeps a counterparty pending during work that does not use this client's `fetch`, such as an MCP call. */
    during: pending.during,

    /**
     * Registers the agent with the account's signature; afterwards the client presents this agent. A call repeated with the
     * same `idempotencyKey`, for example after TIMEOUT, does not register a second agent (see `registerAgent`).
     */
    async register(
      agent: AgentRegistration,
      options: Pick<RegisterAgentInput, 'idempotencyKey'> = {},
    ): Promise<RegisteredAgent> {
      const registered = await registerAgent({
        ...options,
        ...{ apiBaseUrl, account: requireAccount(), agent, service, fetch: fetchIt },
      })
      svcId = registered.svcId
      return registered
    },

    /** Requests a token for the agent, valid for 15 minutes, with the account's signature. */
    async token({ audience, jkt }: TokenRequest = {}): Promise<AgentToken> {
      const id = requireSvcId()
      const send = createSender({ baseUrl: apiBaseUrl, fetch: fetchIt })
      const path = `/agents/${id}/token`
      const body = audience === undefined && jkt === undefined ? '' : JSON.stringify({ audience, jkt })
      // A proxy that serves the service below a path prefix removes the prefix, so it is not signed.
      const signed = {
        method: 'POST',
        path: `/api${path}`,
        body,
        service: chooseService({ service }, apiBaseUrl),
      }
      const headers = await signRequest(requireAccount(), signed)
      const { agentToken, expiresIn } = await send<AgentToken>({
        ...{ method: 'POST', path, headers, retry: 'never' },
        isAnswer: (answer) => typeof answer.agentToken === 'string',
        ...(body === '' ? {} : { body }),
      })
      return { agentToken, expiresIn }
    },
  }
}

/** The URLs under which a service may ask about a counterparty: that of the request, and every one above its path. */
function namesOf(input: string | URL): string[] {
  const url = parseUrl(String(input))
  return url === null ? [] : listContainingUrls(url.origin + url.pathname.replace(/\/+$/, ''))
}
