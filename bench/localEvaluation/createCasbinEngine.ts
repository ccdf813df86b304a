import { newEnforcer, newModelFromString, StringAdapter } from 'casbin'
import type { DecisionEngine } from './decisionEngine.ts'
import { wallClock } from './wallClock.ts'

/** Builds the policy as a casbin model with attributes in its matcher, evaluated synchronously. */
export async function createCasbinEngine(): Promise<DecisionEngine> {
  const model = newModelFromString(`
[request_definition]
r = sub, act

[policy_definition]
p = act, resource

[policy_effect]
e = some(where (p.eft == allow))

[matchers]
m = r.act == p.act && keyMatch(r.sub.resource, p.resource) && r.sub.weekday >= 1 && r.sub.weekday <= 5 && r.sub.hour >= 8 && r.sub.hour < 20 && r.sub.transactionValue < 100 && r.sub.currency == 'EUR' && r.sub.jurisdiction in ('DE', 'FR', 'US')
`)
  const actions = ['shopping:search', 'shopping:checkout', 'read_data:list']
  const lines = actions.flatMap((action) => [`p, ${action}, /api/products/*`, `p, ${action}, /api/orders/*`])
  const enforcer = await newEnforcer(model, new StringAdapter(lines.join('\n')))
  return {
    name: 'casbin',
    decide: (request, now) => enforcer.enforceSync({ ...request, ...wallClock(now) }, request.purpose),
  }
}
