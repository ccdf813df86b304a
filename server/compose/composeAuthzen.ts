import type { AuthzenServices } from '../services/authzen/authzenServices.ts'
import { type EvaluateAccessDeps, evaluateAccess } from '../services/authzen/evaluateAccess.ts'
import { type EvaluateBatchDeps, evaluateBatch } from '../services/authzen/evaluateBatch.ts'
import type { EndpointStore } from '../store/endpoints/endpointStore.ts'

export type ComposeAuthzenDeps = {
  publicUrl: string
  endpoints: Pick<EndpointStore, 'listByOwners'>
  verifyAccess: EvaluateAccessDeps['verifyAccess']
  clock: () => number
  part: EvaluateBatchDeps['part']
}

/** Endpoints of an owner that are looked at to find the one that is active; who has more has to name the one it means. */
const LOOK_MAX = 100

/** Puts the AuthZEN door before verify-access. */
export function composeAuthzen({
  publicUrl,
  endpoints,
  verifyAccess,
  clock,
  part,
}: ComposeAuthzenDeps): AuthzenServices {
  const deps: EvaluateBatchDeps = {
    verifyAccess,
    clock,
    part,
    async soleEndpoint({ organizationId, actsFor }) {
      const owners = organizationId === null ? [...actsFor] : [organizationId]
      const wanted = { discovered: false, archived: false }
      const { items, nextBefore } = await endpoints.listByOwners(owners, wanted, {
        limit: LOOK_MAX,
        before: null,
      })
      const [active = null, ...others] = items.filter(({ status }) => status === 'active')
      const isSole = others.length === 0 && nextBefore === null
      return isSole ? (active?.svceId ?? null) : null
    },
  }
  return {
    evaluate: (input) => evaluateAccess(deps, input),
    evaluateBatch: (input) => evaluateBatch(deps, input),
    publicUrl,
  }
}
