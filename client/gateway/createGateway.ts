import type {
  ProvisionalAgent,
  RegisteredAnswer,
  VerificationAnswer,
  VerifiedAgent,
} from '@svc/core/contract/verification.ts'
import { parseUrl } from '@svc/core/url/url.ts'
import { readPresentedIdentity } from '../agent/readPresentedIdentity.ts'
import { checkNumber, TIMER_MS_MAX } from '../http/checkNumber.ts'
import { isUnavailable, SvcApiError } from '../http/svcApiError.ts'
import { checkBody } from './checkBody.ts'
import { compileRouteGate } from './compileRouteGate.ts'
import { contradictsHost } from './contradictsHost.ts'
import { createRouteGates } from './createRouteGates.ts'
import {
  createVerifyClient,
  type EndpointRoute,
  type VerifyClient,
  type VerifyClientConfig,
} from './createVerifyClient.ts'
import { findSessionTokens, type SessionToken } from './findSessionTokens.ts'
import { type GatewayRefusal, gatewayRefusal } from './gatewayRefusal.ts'
import { holdStepUp } from './holdStepUp.ts'
import { type ReceivedRequest, readRequest } from './readRequest.ts'
import { BODY_BYTES_MAX } from './receivedBody.ts'
import type { RequestFacts } from './requestFacts.ts'
import type { VerificationFields } from './verificationFields.ts'
import { verificationFieldsOf } from './verificationFieldsOf.ts'

/** Settings of a gateway. Source: Spec: Client library contract. */
export type GatewayOptions = VerifyClientConfig & {
  /** What routes require; default those that the service stores for `counterpartyId`. */
  routes?: readonly EndpointRoute[] | undefined
  /**
   * Passes the decision on to the application, in the headers `X-Svc-Access-Level`, `X-Svc-Recommendation` and
   * `X-Svc-Identity-Proof`, and its receipt, if one was asked for, in `X-Svc-Receipt`.
   */
  setPassThroughHeader?: boolean | undefined
  /** How many bytes of a signed body are read to compare them with `Content-Digest`; default 1 MiB. */
  bodyBytesMax?: number | undefined
  /**
   * How long a request is held, in milliseconds, while the agent's owner is asked; with 0, the default, the caller gets 202
   * immediately. Held or not, nothing passes before the owner has approved.
   */
  holdStepUpMs?: number | undefined
  /**
   * What happens without a decision: `refuse`, the default, fails closed; `pass` lets the request through as unverified
   * while the service is unavailable. A used-up rate limit does not make the service unavailable. `pass` needs a `timeoutMs`
   * of at least 4,000: an agent that answers the challenge of the service slowly must not end the call without a decision.
   */
  whenUnavailable?: 'refuse' | 'pass' | undefined
}

/** The members that a request gets from its verification. Source: Spec: Client library contract. */
export type Verified = {
  /** True if the caller is a registered agent and was let in as one. */
  verified: boolean
  /** As decided by the service. */
  accessLevel: string
  /** What the request proves of the registered agent: `none`, `challenge`, `token` or `signature`. */
  identityProof: VerificationAnswer['identityProof']
  /** The registered agent, or the recognised platform of an anonymous caller, which is the one with an `ial`. */
  agent: VerifiedAgent | ProvisionalAgent | undefined
  advisory: VerificationAnswer['advisory']
  /** The boundary that applied, in the form of a PDLSS object, when the counterparty is the agent's owner. */
  pdlss: RegisteredAnswer['access']['appliedPolicy']
  tokenGuidance: VerificationAnswer['tokenGuidance']
  recommendation: VerificationAnswer['recommendation']
  /** What the request carries of other systems' sessions; the gateway has found it and validated nothing. */
  sessionTokens: readonly SessionToken[]
  /**
   * True if an earlier grant has answered the request; `verification` is then the answer of the service to the earlier one.
   */
  isReused: boolean
  /** The whole answer, with `sessionId` or `correlationId` and `auditRecordId`. */
  verification: VerificationAnswer
}

/** The members of a request that passes without a decision, because `whenUnavailable` is `pass`. */
export type Unverified = { verified: false; accessLevel: 'none'; recommendation: undefined } & {
  [Member in Exclude<keyof Verified, 'verified' | 'accessLevel' | 'recommendation'>]?: undefined
}

/** What happens to a request: it passes, with members for it and headers for the response, or is refused. */
export type GatewayOutcome =
  | { passes: true; verified: Verified | Unverified; headers: Readonly<Record<string, string>> }
  | { passes: false; refusal: GatewayRefusal }

/** Returns the answer to a request: that of the service, or that of an earlier grant. @throws SvcApiError */
export type AskForAnswer = (
  fields: VerificationFields,
  facts: RequestFacts,
) => Promise<{ answer: VerificationAnswer; isReused?: boolean }>

/** Options of earlier versions, which have no effect. Source: Spec: Client library contract. */
const DEPRECATED_OPTIONS = ['minTrustScore', 'trustScoreThreshold', 'trustScoreRequirement'] as const
const UNVERIFIED: Unverified = { verified: false, accessLevel: 'none', recommendation: undefined }
const NO_HEADERS = {}

/**
 * Creates a gateway in front of a counterparty's handlers, for any framework or none.
 *
 * `verify` decides on one request and never throws: `grant` and `audit` pass if they reach the route's access level.
 * Everything else is refused, including unknown recommendations and every failure to get a decision. Only the routes are
 * cached. `check` compiles given routes into a test of an access level and an identity proof.
 *
 * The gateway checks its settings against the service as soon as it is created, and warns if they are wrong. It works in any
 * case: the service may start later. `ready` tells the result.
 *
 * @param openAnswers Where answers come from; by default always from the service.
 * @throws Error at once for an invalid URL, key, number, choice or route, if `pass` has a short time limit, and if neither
 *   `counterpartyId` nor `counterpartyUrl` names the counterparty.
 *
 * Source: Spec: Client library contract.
 */
export function createGateway(
  options: GatewayOptions,
  openAnswers: (client: VerifyClient) => AskForAnswer = askService,
) {
  const client = createVerifyClient(options)
  const { counterpartyId, routes, warn = console.warn } = options
  checkOptions(options)
  const mayOpen = options.whenUnavailable === 'pass'
  const currentGate = createRouteGates({ client, counterpartyId, routes, warn })
  const ask = openAnswers(client)
  warnAboutDeprecated(options, warn)

  let isParserNamed = false
  const decide = async (facts: RequestFacts): Promise<GatewayOutcome> => {
    const request = readRequest(facts)
    if (contradictsHost(facts.target, request.headers.host)) return refuse(gatewayRefusal.invalidTarget())
    const findFault = await currentGate()
    if (namesTwoAgents(request)) return refuse(gatewayRefusal.agentMismatch())
    const checked = await checkBody(request)
    if (checked.refusal) return refuse(checked.refusal)
    if (checked.isConsumed && !isParserNamed) {
      isParserNamed = true
      warn('a parser consumed the body of a signed request: use captureBody')
    }
    const fields = verificationFieldsOf(request, checked.contentDigest)
    const { answer: first, isReused = false } = await ask(fields, facts)
    const { holdStepUpMs: holdMs = 0, wait } = options
    const answer = holdMs ? await holdStepUp(client, { answer: first, fields, facts, holdMs, wait }) : first
    if (answer.recommendation === 'step_up_required') return refuse(gatewayRefusal.held(answer))
    if (!mayPass(answer)) return refuse(gatewayRefusal.denied(answer))
    const { access, identityProof } = answer
    const { method, path } = facts.route ?? { method: facts.method ?? 'GET', path: request.path }
    const fault = findFault(method, path, { accessLevel: access.accessLevel, identityProof })
    if (fault?.lacks === 'identityProof') {
      return refuse(gatewayRefusal.proofTooWeak(answer, fault.minIdentityProof))
    }
    if (fault) return refuse(gatewayRefusal.levelTooLow(answer))
    const { warningHeader } = answer
    const headers = warningHeader ? { [warningHeader.name]: warningHeader.value } : NO_HEADERS
    return { passes: true, verified: verifiedOf(answer, request, isReused), headers }
  }

  /** Reading the routes of `counterpartyId` proves that the key owns it. */
  const checkAtStart = async (): Promise<boolean> => {
    try {
      const probed = client.probe()
      if (counterpartyId) await (routes === undefined ? currentGate() : client.readRoutes(counterpartyId))
      if (await probed) return true
      warn(`the check at start failed: verify-access does not respond at ${options.apiBaseUrl}`)
    } catch (error) {
      warn(`the check at start failed: ${describeFailure(error, options)}`)
    }
    return false
  }

  return {
    /**
     * Decides on one request, and never throws.
     *
     * @param facts Facts of the request, or a function that reads them; if it fails, the request is refused.
     */
    async verify(facts: RequestFacts | (() => Promise<RequestFacts>)): Promise<GatewayOutcome> {
      try {
        return await decide(typeof facts === 'function' ? await facts() : facts)
      } catch (error) {
        warn(`a request could not be verified: ${describeFailure(error, options)}`)
        // Any caller can use up the rate limit, so doing that must not open the gate.
        const isDown = isUnavailable(error) && error.status !== 429
        return mayOpen && isDown
          ? { passes: true, verified: UNVERIFIED, headers: NO_HEADERS }
          : refuse(gatewayRefusal.failed(error))
      }
    },

    /**
     * Compiles routes into a function that says whether an access level, and an identity proof (`none` by default), suffice
     * for a method and path.
     */
    check: (routes: readonly EndpointRoute[]) => {
      const findFault = compileRouteGate(routes)
      return (method: string, path: string, accessLevel: string, identityProof?: string): boolean =>
        findFault(method, path, { accessLevel, identityProof }) === undefined
    },

    /**
     * Whether the service is at `apiBaseUrl` and the key owns `counterpartyId`, as far as that could be checked when the
     * gateway was created. Never rejects; true without a check if `disableInitChecks` is set.
     */
    ready: options.disableInitChecks ? Promise.resolve(true) : checkAtStart(),
  }
}

/** What would otherwise only show at a request, to a caller who cannot change it, or never. */
function checkOptions(options: GatewayOptions): void {
  const { counterpartyId, counterpartyUrl, whenUnavailable = 'refuse' } = options
  if (!counterpartyId && !counterpartyUrl) throw new Error('state counterpartyId or counterpartyUrl')
  if (!counterpartyId && !/^https?:$/.test(parseUrl(counterpartyUrl ?? '')?.protocol ?? '')) {
    throw new Error(`counterpartyUrl must be an http(s) URL, got ${counterpartyUrl}`)
  }
  checkNumber('holdStepUpMs', options.holdStepUpMs ?? 0, 0, TIMER_MS_MAX)
  checkNumber('bodyBytesMax', options.bodyBytesMax ?? BODY_BYTES_MAX, 0, Number.MAX_SAFE_INTEGER)
  if (whenUnavailable !== 'refuse' && whenUnavailable !== 'pass') {
    throw new Error(`whenUnavailable must be refuse or pass, got ${whenUnavailable}`)
  }
  // The service waits 3 seconds for the answer to a challenge: an agent could let a shorter call end without a decision.
  if (whenUnavailable === 'pass' && Number(options.timeoutMs) < 4_000) {
    throw new Error('whenUnavailable: pass needs timeoutMs >= 4000')
  }
}

/** What stands behind the gateway may read either name, and would take the decision on one agent for one on the other. */
function namesTwoAgents({ facts: { metadata }, headers }: ReceivedRequest): boolean {
  const named = metadata && readPresentedIdentity(metadata).agentId
  const sent = headers['x-svc-id']
  return Boolean(named && sent) && named !== sent
}

function askService({ verifyAccess }: VerifyClient): AskForAnswer {
  return async (fields, facts) => ({ answer: await verifyAccess(fields, facts) })
}

function refuse(refusal: GatewayRefusal): GatewayOutcome {
  return { passes: false, refusal }
}

function mayPass({ access, recommendation }: VerificationAnswer): boolean {
  return access.allowed && (recommendation === 'grant' || recommendation === 'audit')
}

function verifiedOf(answer: VerificationAnswer, request: ReceivedRequest, isReused: boolean): Verified {
  const { access, agent, advisory, tokenGuidance, recommendation, identityProof } = answer
  return {
    verified: agent !== undefined && answer.correlationId === undefined,
    accessLevel: access.accessLevel,
    pdlss: 'appliedPolicy' in access ? access.appliedPolicy : undefined,
    sessionTokens: findSessionTokens(request),
    agent,
    advisory,
    tokenGuidance,
    recommendation,
    identityProof,
    isReused,
    verification: answer,
  }
}

/** Describes a failed call to the operator: the service's error code and request id, and the likely cause. */
function describeFailure(error: unknown, options: GatewayOptions): string {
  if (!(error instanceof SvcApiError)) return String(error)
  const { code, message, requestId } = error
  const hint = findHint(code, options)
  return `${code}: ${message}${hint && ` ${hint}`}${requestId === null ? '' : ` (request ${requestId})`}`
}

function findHint(code: string, { apiBaseUrl, counterpartyId }: GatewayOptions): string {
  if (code === 'NETWORK_ERROR') return `Is the service running at ${apiBaseUrl}?`
  if (code === 'UNAUTHENTICATED') return 'Is apiKey correct?'
  if (code === 'NOT_FOUND' && counterpartyId !== undefined) return `Does apiKey own ${counterpartyId}?`
  return ''
}

function warnAboutDeprecated(options: object, warn: (message: string) => void): void {
  for (const name of DEPRECATED_OPTIONS) {
    if (name in options) warn(`${name} has no effect: the service decides the access level`)
  }
}
