/** What an agent presents with its requests. Source: Spec: Agent-side request headers. */
export type Presentation = {
  /** `SVC-…` */
  svcId: string
  /** Address of the verification operation. */
  verifyUrl: string
  /** The agent's own challenge URL. */
  challengeUrl?: string
  /** `<category>:<action>`. */
  purpose?: string
  /** Longest session in seconds. */
  durationSeconds?: number
  /** Code of a jurisdiction. */
  jurisdiction?: string
}

/** What differs for one request. */
export type PerRequest = Partial<Omit<Presentation, 'svcId' | 'verifyUrl'>> & {
  /** Of an earlier answer that asked for an approval. */
  attemptId?: string
}

/**
 * The agent's client: presents the agent's identity over HTTP, A2A and MCP.
 *
 * The same names stand in all three: as headers, in the `metadata` of an A2A message, in the `_meta` of an MCP
 * request. None of it is a secret: the identifier proves nothing by itself, the counterparty has it verified.
 *
 * Source: Spec: Client library contract; Spec: Agent-side request headers.
 */
export function createPresenter(presentation: Presentation, fetchIt: typeof fetch = fetch) {
  const headers = (perRequest: PerRequest = {}) => credentialsOf({ ...presentation, ...perRequest })
  return {
    /** The credentials as headers. */
    headers,

    /** `fetch` with the credentials as headers; they replace headers of the same names. */
    fetch(input: string | URL, init: RequestInit = {}, perRequest: PerRequest = {}): Promise<Response> {
      const all = new Headers(init.headers)
      for (const [name, value] of Object.entries(headers(perRequest))) all.set(name, value)
      return fetchIt(input, { ...init, headers: all })
    },

    /** Goes into `message.metadata` of an A2A request. */
    a2aMetadata: (perRequest?: PerRequest) => ({ metadata: headers(perRequest) }),

    /** Goes into `params` of an MCP request. */
    mcpMeta: (perRequest?: PerRequest) => ({ _meta: headers(perRequest) }),
  }
}

function credentialsOf(presented: Presentation & PerRequest): Record<string, string> {
  const { durationSeconds } = presented
  const all: Record<string, string | undefined> = {
    'X-Svc-Id': presented.svcId,
    'X-Svc-Verify': presented.verifyUrl,
    'X-Svc-Challenge': presented.challengeUrl,
    'X-Svc-Purpose': presented.purpose,
    'X-Svc-Duration': durationSeconds === undefined ? undefined : String(durationSeconds),
    'X-Svc-Scope': presented.jurisdiction,
    'X-Svc-Attempt-Id': presented.attemptId,
  }
  const credentials: Record<string, string> = {}
  for (const [name, value] of Object.entries(all)) if (value !== undefined) credentials[name] = value
  return credentials
}
