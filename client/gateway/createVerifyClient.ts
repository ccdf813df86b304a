import { baseUrlOf } from '../http/baseUrlOf.ts'
import { createSender, type SenderConfig } from '../http/createSender.ts'
import { SvcApiError } from '../http/svcApiError.ts'
import { isVerificationAnswer } from './isVerificationAnswer.ts'
import type { VerificationAnswer } from './verificationAnswer.ts'
import type { VerificationFields } from './verificationFields.ts'

/** What a counterparty configures. Source: Spec: Client library contract. */
export type VerifyClientConfig = Omit<SenderConfig, 'baseUrl' | 'headers' | 'timeoutMs'> & {
  /** Always ends in `/api`. */
  apiBaseUrl: string
  apiKey: string
  /** `SVCE-…`; with it traffic is attributed by endpoint and not by URL. */
  counterpartyId?: string
  counterpartyUrl?: string
  /** For one call with all its repeats, in milliseconds; default 5,000. */
  timeoutMs?: number
  /** No probe at the first call. */
  disableInitChecks?: boolean
  /** Where warnings go; the console when left out. */
  warn?: (message: string) => void
}

/** What the counterparty decided, for the record. */
export type RecordedDecision = {
  decision: 'granted' | 'denied' | 'challenged' | 'deferred'
  reason?: string
  tokenIssued?: boolean
}

/** Where an approval stands. Source: api.md "Approvals, activity, audit". */
export type PolledApproval = {
  approvalId: string
  status: 'pending' | 'approved' | 'denied' | 'expired' | 'consumed'
  expiresAt: string
  attemptId: string
  dimensions: string[]
  pollAfterSeconds: number
}

/** A route of an endpoint and the access level it takes. */
export type EndpointRoute = { pattern: string; method?: string; minAccessLevel: string }

/** What `createVerifyClient` makes: one call of the service each. */
export type VerifyClient = ReturnType<typeof createVerifyClient>

/** A request waits for its decision. */
const TIMEOUT_MS_DEFAULT = 5_000
const VERIFY_PATH = '/agents/verify-access'

/**
 * The counterparty's client: asks whether an agent's request may pass, and says what came of it.
 *
 * Everything that fails is a `SvcApiError`. The API key authenticates the counterparty; an agent's identifier never
 * does.
 *
 * @throws Error at once for settings that no call could be made with: an `apiBaseUrl` that does not end in `/api`, an
 *   `apiKey` that is no header, a `timeoutMs` that is no time.
 *
 * Source: Spec: Client library contract; Spec: Authentication 1.
 */
export function createVerifyClient(config: VerifyClientConfig) {
  const baseUrl = baseUrlOf(config.apiBaseUrl)
  // A key of two lines, say, is refused by `fetch`: at each request it would look like a service that is away.
  if (!/^[\x21-\x7e]+\s*$/.test(config.apiKey)) {
    throw new Error('apiKey has to be one word of printable ASCII characters')
  }
  const timeoutMs = config.timeoutMs ?? TIMEOUT_MS_DEFAULT
  const send = createSender({
    ...config,
    timeoutMs,
    baseUrl,
    headers: { Authorization: `Bearer ${config.apiKey}` },
  })
  const probe = createProbe(baseUrl, config)
  const counterparty = { counterpartyId: config.counterpartyId, counterpartyUrl: config.counterpartyUrl }

  return {
    /** Asks for a decision; the counterparty's names come from the configuration where the fields have none. */
    async verifyAccess(fields: VerificationFields): Promise<VerificationAnswer> {
      if (!config.disableInitChecks) void probe()
      const body = JSON.stringify({ ...counterparty, ...fields })
      const answer = await send<unknown>({
        method: 'POST',
        path: VERIFY_PATH,
        body,
        repeat: 'refused',
      })
      if (isVerificationAnswer(answer)) return answer
      throw new SvcApiError({
        code: 'INVALID_RESPONSE',
        status: 200,
        message: 'The answer is not one of verify-access; is the base address right?',
      })
    },

    /** Records what the counterparty decided about a verified session; the same decision may be sent again. */
    recordDecision(sessionId: string, decision: RecordedDecision): Promise<{ recordedAt: string }> {
      const path = `${VERIFY_PATH}/${encodeURIComponent(sessionId)}/decision`
      return send({ method: 'POST', path, body: JSON.stringify(decision), repeat: 'always' })
    },

    /** Asks once where a step-up approval stands; wait `pollAfterSeconds` before the next time. */
    pollApproval(approvalId: string): Promise<PolledApproval> {
      const path = `/step-up-approvals/poll/${encodeURIComponent(approvalId)}`
      return send({ method: 'GET', path, repeat: 'always' })
    },

    /** The routes the service holds for an endpoint of this key; NOT_FOUND when the key does not own it. */
    async readRoutes(counterpartyId: string): Promise<readonly EndpointRoute[]> {
      const path = `/endpoints/${encodeURIComponent(counterpartyId)}`
      const answer = await send<{ endpoint: { routes: EndpointRoute[] } }>({
        method: 'GET',
        path,
        repeat: 'always',
      })
      return answer.endpoint.routes
    },

    /** Asks once whether the service is where it was looked for; warns where a web page answers, and never throws. */
    probe,
  }
}

/**
 * A HEAD request that tells whether the verification operation is where it was looked for.
 *
 * It runs once however often it is asked for, and warns once when a web page answers. Never throws.
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
      if (isPage)
        warn(`${baseUrl} answers with a web page: the base address of the service is probably wrong`)
      return response.ok && !isPage
    } catch {
      return false
    }
  }
  return () => {
    probed ??= run()
    return probed
  }
}
