import { type Counters, determineCounterNeeds } from '@svc/core/access/counters.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { addDecimals } from '@svc/core/decimal.ts'
import { type CompiledPolicy, compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import type { Commitment, CounterQuery, CounterValues } from '../../store/recorder/recorder.ts'
import type { StandingKey } from '../../store/recorder/standingKey.ts'
import {
  ALL_CALLERS,
  ANONYMOUS_CALLER,
  nameEndpointScope,
  nameSpender,
  nameSpendPeriod,
} from './counterNames.ts'
import type { CapHolders } from './findCapHolders.ts'
import type { VerifiableEndpoint } from './parties/verifiableEndpoint.ts'

/** The window of the hourly caps. */
const HOUR_MS = 3_600_000

/** How long a granted sub-agent counts at most: a counterparty may state a session of a year. As long as receipts last. */
const SUB_AGENT_MS_MAX = 24 * HOUR_MS

const NO_SCOPES: readonly string[] = []

/** Stands for all endpoints that are not stored: they share their counters. */
const UNSTORED = 'unstored'

/** The id of an endpoint in the counters. */
function counterEndpointIdOf(endpoint: VerifiableEndpoint): string {
  return endpoint.id ?? UNSTORED
}

/** A caller as the counters know it. */
export type CountedCaller = {
  svcId: string
  ownerId: string
  policy: CompiledPolicy
} & CapHolders

/** How a caller asks, as far as counters differ by it. */
export type Asking = {
  /** Null if the request proves who sends it; if not, who answers for the endpoint, in whose window it counts. */
  window: string | null
  /** Whether the request would be held for approval if nothing else denied it. */
  mayBeHeld: boolean
  /** Whether a standing approval of the agent's owner could let it pass. */
  mayStand: boolean
}

/** How an anonymous request counts: without a window, because nobody but the endpoint has these caps. */
export const ASKING_ANONYMOUSLY: Asking = { window: null, mayBeHeld: false, mayStand: false }

/** All callers without identity, which share the endpoint's caps: otherwise anyone could evade a cap by not identifying. */
export const ANONYMOUS: CountedCaller = {
  svcId: ANONYMOUS_CALLER,
  ownerId: ANONYMOUS_CALLER,
  countsAs: ANONYMOUS_CALLER,
  rateCountsAs: ANONYMOUS_CALLER,
  ancestorRates: [],
  policy: compilePolicy({}, 'agent'),
}

/** What the recorder has to count inside its transaction for this decision; null for most requests. */
export function buildCounterQuery(
  { svcId, ownerId, countsAs, rateCountsAs, ancestorRates, policy }: CountedCaller,
  endpoint: VerifiableEndpoint,
  request: VerificationRequest,
  { window, mayBeHeld, mayStand }: Asking,
  now: number,
): CounterQuery | null {
  const needs = determineCounterNeeds(policy, endpoint.facts.policy, request, now)
  const spend = needs.cumulativeSpend
  const needsNothing =
    !needs.agentGrantsLastHour &&
    !needs.endpointGrantsLastHour &&
    !needs.agentSubAgents &&
    !needs.endpointSubAgents &&
    spend === undefined &&
    (window === null || !mayBeHeld) &&
    !mayStand
  if (needsNothing) return null
  const endpointId = counterEndpointIdOf(endpoint)
  const rateScopeOf = (holder: string) => (window === null ? holder : `${holder}~${window}`)
  const isApart = window !== null
  return {
    agentId: svcId,
    endpointId,
    since: now - HOUR_MS,
    now,
    window,
    pendingAt: mayBeHeld ? window : null,
    agentScope: needs.agentGrantsLastHour ? rateScopeOf(rateCountsAs) : null,
    ancestorScopes:
      needs.agentGrantsLastHour && ancestorRates.length > 0
        ? ancestorRates.map((one) => rateScopeOf(one.countsAs))
        : NO_SCOPES,
    endpointScope: needs.endpointGrantsLastHour ? nameEndpointScope({ countsAs, isApart }, endpointId) : null,
    countAgentSubAgents: needs.agentSubAgents,
    countEndpointSubAgents: needs.endpointSubAgents,
    spend: spend
      ? {
          endpointId,
          // What everybody spends at an endpoint is one sum: a window would let it be exceeded.
          agentId:
            spend.scope === 'endpoint'
              ? ALL_CALLERS
              : nameSpender({ countsAs: spend.scope === 'owner' ? ownerId : countsAs, isApart }),
          period: nameSpendPeriod(spend.period, spend.since, spend.currency),
        }
      : null,
    standing: mayStand ? standingKeyOf({ svcId, ownerId }, endpoint, request) : null,
  }
}

/** Null if the endpoint is not stored: nobody then knows that the next one is the same. */
function standingKeyOf(
  { svcId, ownerId }: Pick<CountedCaller, 'svcId' | 'ownerId'>,
  endpoint: VerifiableEndpoint,
  { currency = '' }: VerificationRequest,
): StandingKey | null {
  if (endpoint.id === null) return null
  const counterparty = { endpointId: endpoint.id, counterpartyOwnerId: endpoint.ownerId }
  return { agentId: svcId, ownerId, ...counterparty, currency }
}

/** The counted values under the names that the decision uses. */
export function countersOf(values: CounterValues): Counters {
  return {
    agentGrantsLastHour: values.agentGrants ?? undefined,
    ancestorGrantsLastHour: values.ancestorGrants ?? undefined,
    endpointGrantsLastHour: values.endpointGrants ?? undefined,
    agentSubAgents: values.agentSubAgents ?? undefined,
    endpointSubAgents: values.endpointSubAgents ?? undefined,
    pendingApprovals: values.pendingApprovals ?? undefined,
    pendingApprovalsHere: values.pendingApprovalsHere ?? undefined,
    cumulativeSpend: values.cumulativeSpend ?? undefined,
  }
}

type CountedRequest = {
  caller: Pick<CountedCaller, 'svcId'>
  endpoint: VerifiableEndpoint
  request: VerificationRequest
  counters: CounterQuery | null
  values: CounterValues
  window: string | null
  /** The granted session and its length; without an identifier if the request creates none. */
  sessionId: string | null
  sessionSeconds: number
  now: number
}

/**
 * What a grant adds to the counters of caps. It is counted only where there is a cap, so that a cap set later counts from
 * then on.
 */
export function buildCountedGrant(counted: CountedRequest): Partial<Commitment<never>> {
  const { caller, endpoint, request, counters, values, window, sessionId, sessionSeconds, now } = counted
  const agentId = caller.svcId
  const endpointId = counterEndpointIdOf(endpoint)
  const subAgent =
    request.subAgent === undefined
      ? null
      : {
          ...{ agentId, endpointId, window, sessionId },
          ...{ grantedAt: now, expiresAt: now + Math.min(sessionSeconds * 1000, SUB_AGENT_MS_MAX) },
        }
  if (request.transactionValue === undefined) return { subAgent }
  const amount = addDecimals('0', request.transactionValue)
  const { agentScope = null, endpointScope = null, spend = null, since = now } = counters ?? {}
  const scopes = [agentScope, endpointScope, ...(counters?.ancestorScopes ?? NO_SCOPES)]
  return {
    subAgent,
    grants: scopes.flatMap((scope) => (scope === null ? [] : [{ scope, grantedAt: now, since }])),
    spend: spend && { ...spend, total: addDecimals(values.cumulativeSpend ?? '0', amount) },
  }
}
