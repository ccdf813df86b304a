import type { AuthzenServices } from '../services/authzen/authzenServices.ts'
import { type EvaluateAccessDeps, evaluateAccess } from '../services/authzen/evaluateAccess.ts'
import { type EvaluateBatchDeps, evaluateBatch } from '../services/authzen/evaluateBatch.ts'
import type { EndpointStore } from '../store/endpointStore.ts'

export type ComposeAuthzenDeps = {
  publicUrl: string
  endpoints: Pick<EndpointStore, 'listByOwners'>
  verifyAccess: EvaluateAccessDeps['verifyAccess']
  clock: () => number
}

/** Endpoints of an owner that are looked at to find the one that is active. */
const LOOK_MAX = 100

/** Puts the AuthZEN door before verify-access. */
export function composeAuthzen({
  publicUrl,
  endpoints,
  verifyAccess,
  clock,
}: ComposeAuthzenDeps): AuthzenServices {
  const deps: EvaluateBatchDeps = {
    verifyAccess,
    clock,
    async soleEndpoint({ organizationId, actsFor }) {
      const owners = organizationId === null ? [...actsFor] : [organizationId]
      const wanted = { discovered: false, archived: false }
      const { items } = await endpoints.listByOwners(owners, wanted, { limit: LOOK_MAX, before: null })
      const active = items.filter(({ status }) => status === 'active')
      return active.length === 1 ? (active[0]?.svceId ?? null) : null
    },
  }
  return {
    evaluate: (input) => evaluateAccess(deps, input),
    evaluateBatch: (input) => evaluateBatch(deps, input),
    publicUrl,
  }
}
