import { isUnavailable } from '../http/isUnavailable.ts'
import { compileRouteGate } from './compileRouteGate.ts'
import { createRouteGates } from './createRouteGates.ts'
import { createVerifyClient, type EndpointRoute } from './createVerifyClient.ts'
import { faultText } from './faultText.ts'
import { DEPRECATED_OPTIONS, type GatewayOptions } from './gatewayOptions.ts'
import { type GatewayRefusal, gatewayRefusal } from './gatewayRefusal.ts'
import { holdStepUp } from './holdStepUp.ts'
import { fieldsOf, pathOf, type RequestFacts } from './requestFacts.ts'
import type { VerificationAnswer } from './verificationAnswer.ts'
import type { Verified } from './verified.ts'

/** What became of a request: it passes, with what it carries then, or is answered. */
export type GatewayOutcome =
  | { passes: true; verified: Verified | Unverified; headers: Readonly<Record<string, string>> }
  | { passes: false; refusal: GatewayRefusal }

/** A request that was let through without a decision, because the options want it so. */
export type Unverified = { verified: false; accessLevel: 'none'; recommendation: undefined } & {
  [Member in Exclude<keyof Verified, 'verified' | 'accessLevel' | 'recommendation'>]?: undefined
}

const UNVERIFIED: Unverified = { verified: false, accessLevel: 'none', recommendation: undefined }
const NO_HEADERS = {}

/**
 * A gateway in front of a counterparty's handlers, for any framework or none.
 *
 * `verify` decides on one request and never throws: `grant` and `audit` pass when the route's level is reached;
 * everything else, a recommendation nobody knows among it, and every failure to get a decision, is refused.
 * Nothing is cached but the routes. `check` says whether a level reaches given routes; `ready`
 * makes the start-up checks at once and not at the first request.
 *
 * @throws Error at once for a bad address, key or time limit, or a route that cannot be understood.
 *
 * Source: Spec: Client library contract.
 */
export function createGateway(options: GatewayOptions) {
  const client = createVerifyClient(options)
  const { counterpartyId, routes, warn = console.warn } = options
  const currentGate = createRouteGates({ client, counterpartyId, routes, warn })
  warnOfDeprecated(options, warn)

  const decide = async (facts: RequestFacts): Promise<GatewayOutcome> => {
    const gate = await currentGate()
    const fields = fieldsOf(facts)
    const first = await client.verifyAccess(fields)
    const { holdStepUpMs: holdMs = 0, wait } = options
    const answer = await holdStepUp(client, { answer: first, fields, holdMs, wait, signal: facts.signal })
    if (answer.recommendation === 'step_up_required') return refused(gatewayRefusal.held(answer))
    if (!mayPass(answer)) return refused(gatewayRefusal.denied(answer))
    const isHighEnough = gate(facts.method ?? 'GET', pathOf(facts), answer.access.accessLevel)
    if (!isHighEnough) return refused(gatewayRefusal.levelTooLow(answer))
    const { warningHeader } = answer
    const headers = warningHeader ? { [warningHeader.name]: warningHeader.value } : NO_HEADERS
    return { passes: true, verified: verifiedOf(answer), headers }
  }

  return {
    /**
     * Decides on one request, and never throws.
     *
     * @param facts Of the request, or what reads them: its failure refuses the request.
     */
    async verify(facts: RequestFacts | (() => Promise<RequestFacts>)): Promise<GatewayOutcome> {
      try {
        return await decide(typeof facts === 'function' ? await facts() : facts)
      } catch (error) {
        warn(`a request could not be verified: ${faultText(error, options)}`)
        const refusal = gatewayRefusal.failed(error)
        // Its own budget is what any caller can use up: who asks too often does not open the gate for everybody.
        const isAway = isUnavailable(error) && error.status !== 429
        const mayBeOpen = options.whenUnavailable === 'pass' && isAway
        return mayBeOpen ? { passes: true, verified: UNVERIFIED, headers: NO_HEADERS } : refused(refusal)
      }
    },

    /** Compiles gates: whether an access level reaches every route that describes a request. */
    check: (gates: readonly EndpointRoute[]) => compileRouteGate(gates),

    /**
     * Probes the address and reads the endpoint's routes, which shows that the key owns `counterpartyId`.
     *
     * @throws SvcApiError when the key does not own it, or nobody answers.
     */
    async ready(): Promise<void> {
      if (!options.disableInitChecks) await client.probe()
      if (counterpartyId !== undefined) await client.readRoutes(counterpartyId)
    },
  }
}

function refused(refusal: GatewayRefusal): GatewayOutcome {
  return { passes: false, refusal }
}

function mayPass({ access, recommendation }: VerificationAnswer): boolean {
  return access.allowed && (recommendation === 'grant' || recommendation === 'audit')
}

function verifiedOf(answer: VerificationAnswer): Verified {
  const { access, agent, advisory, tokenGuidance, recommendation } = answer
  return {
    verified: agent !== undefined && answer.correlationId === undefined,
    accessLevel: access.accessLevel,
    ...{ agent, advisory, pdlss: access.appliedPolicy, tokenGuidance, recommendation, verification: answer },
  }
}

function warnOfDeprecated(options: object, warn: (message: string) => void): void {
  for (const name of DEPRECATED_OPTIONS) {
    if (name in options) warn(`${name} has no effect any more: the service decides the access level`)
  }
}
