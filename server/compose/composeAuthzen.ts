import type { EvaluateBatchDeps } from '../services/authzen/evaluateBatch.ts'
import type { ApiKeyPrincipal } from '../services/principal.ts'
import type { VerificationDeps } from '../services/verification/verificationDeps.ts'
import type { EndpointStore } from '../store/endpoints/endpointStore.ts'

export type ComposeAuthzenDeps = {
  publicUrl: string
  endpoints: Pick<EndpointStore, 'listByOwners'>
  verification: VerificationDeps
  clock: () => number
  runPart: EvaluateBatchDeps['runPart']
}

/** Maximum endpoints of an owner among which the only active one is found; with more, the caller has to name one. */
const LOOK_MAX = 100

/** Composes AuthZEN on top of verify-access. */
export function composeAuthzen({ endpoints, ...deps }: ComposeAuthzenDeps) {
  return {
    ...deps,
    async soleEndpoint({ organizationId, actsFor }: ApiKeyPrincipal) {
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
}
