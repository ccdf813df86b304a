import cedar from '@cedar-policy/cedar-wasm/nodejs'
import type { DecisionEngine } from './decisionEngine.ts'
import { wallClock } from './wallClock.ts'

const POLICY_SET_ID = 'bench'
const POLICY = `
permit (
  principal,
  action in [Action::"shopping:search", Action::"shopping:checkout", Action::"read_data:list"],
  resource
) when {
  context.weekday >= 1 && context.weekday <= 5 &&
  context.hour >= 8 && context.hour < 20 &&
  context.transactionValue < 100 && context.currency == "EUR" &&
  ["DE", "FR", "US"].contains(context.jurisdiction) &&
  (context.path like "/api/products/*" ||
    (context.path like "/api/orders/*" && !(context.path like "/api/orders/*/*")))
};
forbid (principal, action == Action::"shopping:refund", resource);
`

/**
 * Builds the policy in Cedar's WebAssembly build for Node, without a schema.
 *
 * The policies are parsed once and stored in the module. Each decision passes the request to the module and reads the
 * response back, as every program that uses Cedar from JavaScript must.
 *
 * @throws Error if Cedar rejects the policies.
 */
export function createCedarEngine(): DecisionEngine {
  const parsed = cedar.preparsePolicySet(POLICY_SET_ID, { staticPolicies: POLICY })
  if (parsed.type === 'failure') throw new Error(parsed.errors.map(({ message }) => message).join('\n'))
  return {
    name: 'Cedar (wasm)',
    decide({ agentId, purpose, resource, jurisdiction, transactionValue, currency }, now) {
      const answer = cedar.statefulIsAuthorized({
        principal: { type: 'Agent', id: agentId },
        action: { type: 'Action', id: purpose },
        resource: { type: 'Resource', id: resource },
        context: { path: resource, jurisdiction, transactionValue, currency, ...wallClock(now) },
        entities: [],
        preparsedPolicySetId: POLICY_SET_ID,
      })
      return answer.type === 'success' && answer.response.decision === 'allow'
    },
  }
}
