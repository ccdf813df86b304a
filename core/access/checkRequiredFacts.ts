import { type Findings, findingOf, NOTHING } from './findings.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** What an endpoint can require a request to state. */
export const REQUIRABLE_FACTS = [
  'purpose',
  'resource',
  'jurisdiction',
  'currency',
  'sessionDuration',
] as const

export type RequirableFact = (typeof REQUIRABLE_FACTS)[number]

const FAILURES: Readonly<Record<RequirableFact, Findings>> = {
  purpose: findingOf('endpoint.purpose'),
  resource: findingOf('endpoint.scope'),
  jurisdiction: findingOf('endpoint.scope'),
  currency: findingOf('endpoint.limits'),
  sessionDuration: findingOf('endpoint.duration'),
}

/**
 * Checks that a request states the facts that the endpoint requires; one that leaves a fact out fails its dimension.
 *
 * Without this, a boundary is not compared with what a request does not state. A currency is required only beside a value.
 */
export function checkRequiredFacts(
  requiredFacts: readonly RequirableFact[] | undefined,
  request: VerificationRequest,
): Findings {
  if (requiredFacts === undefined || requiredFacts.length === 0) return NOTHING
  return requiredFacts.reduce(
    (findings, fact) => (isStated(fact, request) ? findings : findings | FAILURES[fact]),
    NOTHING,
  )
}

function isStated(fact: RequirableFact, request: VerificationRequest): boolean {
  if (fact === 'purpose') return request.category !== undefined || request.action !== undefined
  if (fact === 'currency') return request.transactionValue === undefined || request.currency !== undefined
  return request[fact] !== undefined
}
