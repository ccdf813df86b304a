import type { EvaluationFacts } from '@svc/core/policyFile/compilePolicyEvaluator.ts'
import type { PolicyCase } from './loadPolicyCases.ts'

// biome-ignore lint/suspicious/noExplicitAny: the corpus is data, checked by the loader's expectations
const asFacts = (value: unknown) => value as any

/** Translates a policy case for the local evaluator: the policy, the request, and the facts that only a server knows. */
export function toLocalCase(one: PolicyCase): { policy: object; request: object; facts: EvaluationFacts } {
  return { policy: fileOf(one), request: { ...agentIdOf(one), ...one.request }, facts: factsOf(one) }
}

/** The equivalent policy file: both boundaries, and the endpoint's policy for callers without an agent. */
function fileOf(one: PolicyCase) {
  const isNamed = typeof one.agent === 'object'
  return {
    version: '1',
    agent: { id: 'SVC-a' },
    ...(isNamed ? { pdlss: asFacts(one.agent).pdlss } : {}),
    endpoint: { pdlss: one.endpoint.pdlss },
    unverifiedAgentPolicy: one.endpoint.unverifiedAgentPolicy,
  }
}

function factsOf(one: PolicyCase) {
  const { pdlss: _boundary, unverifiedAgentPolicy: _policy, ...endpoint } = asFacts(one.endpoint)
  const facts = {
    endpoint,
    counters: one.counters,
    challenge: one.challenge,
    approval: asFacts(one.approval),
    sharesOwner: one.sharesOwner,
  }
  if (typeof one.agent !== 'object') return facts
  const { pdlss: _own, owner, approvalRules, ...agent } = asFacts(one.agent)
  const rules = approvalRules[0] === 'spend' ? {} : { approvalRules }
  return { ...facts, agent: { ...agent, ownerIdentifiers: [owner], ...rules } }
}

function agentIdOf(one: PolicyCase) {
  if (one.agent === 'none') return {}
  return { agentId: one.agent === 'unknown' ? 'SVC-someoneElse' : 'SVC-a' }
}
