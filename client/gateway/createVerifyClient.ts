import type { AccessLevel } from '@svc/core/access/decision.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { VerificationAnswer } from '@svc/core/contract/verification.ts'
import { createSender, type SenderConfig } from '../http/createSender.ts'
import { parseBaseUrl } from '../http/parseBaseUrl.ts'
import { SvcApiError } from '../http/svcApiError.ts'
import { readTraceContext } from './readTraceContext.ts'
import type { RequestFacts } from './requestFacts.ts'
import type { VerificationFields } from './verificationFields.ts'

/** Settings of a counterparty. Source: Spec: Client library contract. */
export type VerifyClientConfig = Omit<SenderConfig, 'baseUrl' | 'headers' | 'timeoutMs'> & {
  /** Always ends in `/api`. */
  apiBaseUrl: string
  apiKey: string
  /** `SVCE-…`; attributes traffic to the endpoint instead of a URL. */
  counterpartyId?: string | undefined
  counterpartyUrl?: string | undefined
  /** Time limit of one call including its retries, in milliseconds; default 5,000. */
  timeoutMs?: number | undefined
  /** Skips the checks at start: the probe of `apiBaseUrl` and, for a gateway, whether the key owns `counterpartyId`. */
  disableInitChecks?: boolean | undefined
  /** Receives warnings; default the console. */
  warn?: ((message: string) => void) | undefined
}

/** The counterparty's own decision, for the audit log. */
export type RecordedDecision = {
  decision: 'granted' | 'denied' | 'challenged' | 'deferred'
  reason?: string | undefined
  tokenIssued?: boolean | undefined
}

/** The state of an approval. */
export type PolledApproval = {
  approvalId: string
  status: 'pending' | 'approved' | 'denied' | 'expired' | 'consumed'
  expiresAt: string
  attemptId: string
  dimensions: string[]
  pollAfterSeconds: number
}

/**
 * A route of an endpoint, the minimum access level for it, and what a request must prove of its agent: nothing by default.
 */
export type EndpointRoute = {
  pattern: string
  method?: string | undefined
  minAccessLevel: AccessLevel
  minIdentityProof?: IdentityProof | undefined
}

/** The operations of the service that a counterparty calls. */
export type VerifyClient = ReturnType<typeof createVerifyClient>

/** Shorter than the sender's default, because a request waits for the decision. */
const TIMEOUT_MS_DEFAULT = 5_000
const VERIFY_PATH = '/agents/verify-access'

/**
 * Creates a counterparty's client, which asks whether an agent's request may pass and records the counterparty's decision.
 *
 * Every failed call throws a `SvcApiError`. The API key authenticates the counterparty; an agent's identifier
 * authenticates no one.
 *
 * @throws Error at once for settings that can never work: an `apiBaseUrl` that does not end in `/api`, an `apiKey` that
 *   cannot be sent as a header, an invalid `timeoutMs`.
 *
 * Source: Spec: Client library contract; Spec: Authentication 1.
 */
export function createVerifyClient(config: VerifyClientConfig) {
  const baseUrl = parseBaseUrl(config.apiBaseUrl)
  checkApiKey(config.apiKey)
  const timeoutMs = config.timeoutMs ?? TIMEOUT_MS_DEFAULT
  const send = createSender({
    ...config,
    timeoutMs,
    baseUrl,
    headers: { Authorization: `Bearer ${config.apiKey}` },
  })
  const probe = createProbe(baseUrl, config)
  const warnOnce = createWarnOnce(config.warn ?? console.warn)

  return {
    /**
     * Asks for a decision; the settings name the counterparty unless the fields do.
     *
     * @param received The request that is decided on, whose trace (`traceparent`) the call continues.
     */
    async verifyAccess(
      fields: VerificationFields,
      received?: Pick<RequestFacts, 'headers'>,
    ): Promise<VerificationAnswer> {
      if (!config.disableInitChecks) void probe()
      const body = JSON.stringify({
        ...fields,
        counterpartyId: fields.counterpartyId ?? config.counterpartyId,
        counterpartyUrl: fields.counterpartyUrl ?? config.counterpartyUrl,
      })
      const answer = await send<unknown>({
        method: 'POST',
        path: VERIFY_PATH,
        body,
        headers: readTraceContext(received?.headers ?? {}),
        retry: 'whenRefused',
      })
      if (isVerificationAnswer(answer)) {
        warnOnce(answer.warnings)
        return answer
      }
      throw new SvcApiError({
        code: 'INVALID_RESPONSE',
        status: 200,
        message: 'The response is not an answer of verify-access; is apiBaseUrl right?',
      })
    },

    /** Records the counterparty's decision about a verified session; sending it again changes nothing. */
    recordDecision(sessionId: string, decision: RecordedDecision): Promise<{ recordedAt: string }> {
      const path = `${VERIFY_PATH}/${encodeURIComponent(sessionId)}/decision`
      return send({ method: 'POST', path, body: JSON.stringify(decision), retry: 'always' })
    },

    /** Asks once for the state of a step-up approval; wait `pollAfterSeconds` before asking again. */
    pollApproval(approvalId: string): Promise<PolledApproval> {
      const path = `/step-up-approvals/poll/${encodeURIComponent(approvalId)}`
      return send({ method: 'GET', path, retry: 'always' })
    },

    /** Reads the routes that the service stores for an endpoint; fails with NOT_FOUND if the key does not own it. */
    async readRoutes(counterpartyId: string): Promise<readonly EndpointRoute[]> {
      const path = `/endpoints/${encodeURIComponent(counterpartyId)}`
      const answer = await send<{ endpoint: { routes: EndpointRoute[] } }>({
        method: 'GET',
        path,
        retry: 'always',
        isAnswer: ({ endpoint }) => Array.isArray((endpoint as { routes?: unknown } | null)?.routes),
      })
      return answer.endpoint.routes
    },

    /** Checks once whether the service is at `apiBaseUrl`, and warns if a web page is; never throws. */
    probe,
  }
}

/**
 * `fetch` rejects a key of two lines, for example; at each request that would look like an unreachable service. A key from
 * an environment variable that is not set would be sent as the word `undefined`.
 */
function checkApiKey(apiKey: unknown): void {
  if (apiKey === undefined || apiKey === null || apiKey === '') {
    throw new Error('apiKey is missing: pass the API key of the counterparty')
  }
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+\s*$/.test(apiKey)) {
    throw new Error('apiKey must be one word of printable ASCII characters')
  }
}

/**
 * Creates a function that sends a HEAD request to check whether the verify-access operation is at `apiBaseUrl`.
 *
 * The request is sent only once, however often the function is called, unless it gets no response; a web page is warned
 * about. Never throws.
 * Source: Spec: Client library contract, probe.
 */
function createProbe(baseUrl: string, config: VerifyClientConfig): () => Promise<boolean> {
  const { fetch: fetchIt = fetch, timeoutMs = TIMEOUT_MS_DEFAULT, warn = console.warn } = config
  let probed: Promise<boolean> | undefined
  const run = async () => {
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetchIt(baseUrl + VERIFY_PATH, { method: 'HEAD', signal })
      const isPage = /^text\/html/i.test(response.headers.get('content-type') ?? '')
      if (isPage) warn(`${baseUrl} responds with a web page: apiBaseUrl is probably wrong`)
      return response.ok && !isPage
    } catch {
      probed = undefined
      return false
    }
  }
  return () => {
    probed ??= run()
    return probed
  }
}

const WARNINGS_MAX = 20

/** Passes on what the service warns of, such as a misspelt field: each text once, because every request repeats it. */
function createWarnOnce(warn: (message: string) => void): (warnings: unknown) => void {
  const known = new Set<unknown>()
  return (warnings) => {
    if (!Array.isArray(warnings)) return
    for (const warning of warnings) {
      if (typeof warning !== 'string' || known.has(warning) || known.size >= WARNINGS_MAX) continue
      known.add(warning)
      warn(`verify-access: ${warning}`)
    }
  }
}

/** A level is passed on in a header. */
const LEVEL = /^[a-z][a-z-]{0,31}$/
/** Only a custom header: one with a standard meaning would change the host's response. */
const WARNING_NAME = /^x-[a-z0-9-]{1,60}$/i
const WARNING_VALUE = /^[\x20-\x7e]{0,500}$/

/**
 * Checks whether a value is an answer of verify-access: the members that decide, or that are sent as headers, are valid.
 *
 * Unknown recommendations and levels, of a later version of the service, are valid; the code that uses them decides what
 * they allow.
 *
 * Source: Spec: Verification response.
 */
function isVerificationAnswer(answer: unknown): answer is VerificationAnswer {
  if (typeof answer !== 'object' || answer === null) return false
  const { success, recommendation, access, warningHeader } = answer as Partial<VerificationAnswer>
  const isDecision =
    success === true && typeof recommendation === 'string' && typeof access?.allowed === 'boolean'
  return isDecision && isText(access.accessLevel, LEVEL) && isWarning(warningHeader)
}

function isWarning(warning: VerificationAnswer['warningHeader'] | null): boolean {
  if (warning === undefined || warning === null) return true
  return isText(warning.name, WARNING_NAME) && isText(warning.value, WARNING_VALUE)
}

function isText(value: unknown, shape: RegExp): boolean {
  return typeof value === 'string' && shape.test(value)
}
