/** What an agent presents with its requests. Source: Spec: Agent-side request headers. */
export type Presentation = {
  /** `SVC-…` */
  svcId: string
  /** URL of the verify-access operation. */
  verifyUrl: string
  /** The agent's own challenge URL. */
  challengeUrl?: string | undefined
  /** URL of the agent's card; the counterparty sees it in its activity. */
  agentCardUrl?: string | undefined
  /** `<category>:<action>`. */
  purpose?: string | undefined
  /** Longest session in seconds. */
  durationSeconds?: number | undefined
  /** Jurisdiction code. */
  jurisdiction?: string | undefined
}

/** Overrides for one request. */
export type PerRequest = Partial<Omit<Presentation, 'svcId' | 'verifyUrl'>> & {
  /** From an earlier answer that required an approval. */
  attemptId?: string | undefined
  /** From `createIntentProof`; good once. */
  proof?: string | undefined
  /** From `token`, for this counterparty. Whoever reads it can use it there until it expires. */
  agentToken?: string | undefined
}

/**
 * Creates a presenter, which presents an agent's identity over HTTP, A2A and MCP.
 *
 * The names are the same in HTTP headers, the `metadata` of an A2A message and the `_meta` of an MCP request. The identifier
 * proves nothing on its own: pass `signFetch` to sign requests, or a `proof` with each of them. No value is secret, except a
 * token.
 *
 * @param fetchIt Sends the requests; that of `signFetch` signs them.
 *
 * Source: Spec: Client library contract; Spec: Agent-side request headers.
 */
export function createPresenter(presentation: Presentation, fetchIt: typeof fetch = fetch) {
  const headers = (perRequest: PerRequest = {}) => credentialsOf({ ...presentation, ...perRequest })
  return {
    /** Returns the credentials as headers. */
    headers,

    /**
     * `fetch` with the credentials as headers, which replace headers of the same names.
     *
     * Redirects are not followed, because `fetch` would present a token or a proof to any site that one names: the caller
     * gets the redirect as its response, and may send a request there. With `redirect: 'error'`, it is an error.
     */
    fetch(input: string | URL, init: RequestInit = {}, perRequest: PerRequest = {}): Promise<Response> {
      const all = new Headers(init.headers)
      for (const [name, value] of Object.entries(headers(perRequest))) all.set(name, value)
      return fetchIt(input, {
        ...init,
        headers: all,
        redirect: init.redirect === 'error' ? 'error' : 'manual',
      })
    },

    /** Returns the credentials for `message.metadata` of an A2A request. */
    a2aMetadata: (perRequest?: PerRequest) => ({ metadata: headers(perRequest) }),

    /** Returns the credentials for `params` of an MCP request. */
    mcpMeta: (perRequest?: PerRequest) => ({ _meta: headers(perRequest) }),
  }
}

function credentialsOf(presented: Presentation & PerRequest): Record<string, string> {
  const { durationSeconds } = presented
  const all: Record<string, string | undefined> = {
    'X-Svc-Id': presented.svcId,
    'X-Svc-Verify': presented.verifyUrl,
    'X-Svc-Challenge': presented.challengeUrl,
    'X-Svc-Agent-Card': presented.agentCardUrl,
    'X-Svc-Purpose': presented.purpose,
    'X-Svc-Duration': durationSeconds === undefined ? undefined : String(durationSeconds),
    'X-Svc-Scope': presented.jurisdiction,
    'X-Svc-Attempt-Id': presented.attemptId,
    'X-Svc-Proof': presented.proof,
    'X-Svc-Token': presented.agentToken,
  }
  const credentials: Record<string, string> = {}
  for (const [name, value] of Object.entries(all)) if (value !== undefined) credentials[name] = value
  return credentials
}
