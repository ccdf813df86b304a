import { type Counters, determineCounterNeeds } from '@svc/core/access/counters.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { CounterQuery, CounterValues } from '../../store/recorder/recorder.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

/** The window of the hourly caps. */
const HOUR_MS = 3_600_000

/** Stands for all endpoints that are not stored: they share their counters. */
const UNSTORED = 'unstored'

/** The id of an endpoint in the counters. */
export function counterEndpointIdOf(endpoint: VerifiableEndpoint): string {
  return endpoint.id ?? UNSTORED
}

/** What the recorder has to count inside its transaction for this decision; null for most requests. */
export function buildCounterQuery(
  agent: VerifiableAgent,
  endpoint: VerifiableEndpoint,
  request: VerificationRequest,
  now: number,
): CounterQuery | null {
  const agentPolicy = agent.facts.policy
  const endpointPolicy = endpoint.facts.policy
  const needs = determineCounterNeeds(agentPolicy, endpointPolicy, request, now)
  const spend = needs.cumulativeSpend
  const needsNothing =
    !needs.agentGrantsLastHour &&
    !needs.endpointGrantsLastHour &&
    !needs.agentSubAgents &&
    !needs.endpointSubAgents &&
    spend === undefined
  if (needsNothing) return null
  return {
    agentId: agent.svcId,
    endpointId: counterEndpointIdOf(endpoint),
    since: now - HOUR_MS,
    agentScope: needs.agentGrantsLastHour ? agent.svcId : null,
    endpointScope: needs.endpointGrantsLastHour ? `${agent.svcId}@${counterEndpointIdOf(endpoint)}` : null,
    countAgentSubAgents: needs.agentSubAgents,
    countEndpointSubAgents: needs.endpointSubAgents,
    spendPeriod: spend ? `${spend.period}:${spend.since}` : null,
  }
}

/** The counted values under the names that the decision uses. */
export function countersOf(values: CounterValues): Counters {
  return {
    agentGrantsLastHour: values.agentGrants ?? undefined,
    endpointGrantsLastHour: values.endpointGrants ?? undefined,
    agentSubAgents: values.agentSubAgents ?? undefined,
    endpointSubAgents: values.endpointSubAgents ?? undefined,
    cumulativeSpend: values.cumulativeSpend ?? undefined,
  }
}
