import type { AgentFacts, EndpointFacts } from './facts.ts'

/** The value from which the owner is asked about spend: the lowest of both boundaries and the approval rules. */
export function resolveAskedFrom(agent: AgentRules, endpoint: EndpointRules): number {
  return Math.min(
    agent.policy.limits.autonomousThreshold,
    endpoint.policy.limits.autonomousThreshold,
    agent.approvalRules.asksAboutSpendFrom,
  )
}

/** The value from which each request needs an assertion made for it. Spec: PDLSS object, stepUpThreshold. */
export function resolveFreshFrom(agent: Pick<AgentFacts, 'policy'>, endpoint: EndpointRules): number {
  return Math.min(agent.policy.limits.freshThreshold, endpoint.policy.limits.freshThreshold)
}

type AgentRules = Pick<AgentFacts, 'policy' | 'approvalRules'>
type EndpointRules = Pick<EndpointFacts, 'policy'>
