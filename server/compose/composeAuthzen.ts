import type { EvaluateBatchDeps } from '../services/authzen/evaluateBatch.ts'
import type { ApiKeyPrincipal } from '../services/principal.ts'
import type { VerificationDeps } from '../services/verification/verificationDeps.ts'
import type { EndpointStore } from '../store/endpoints/endpointStore.ts'

export type ComposeAuthzenDeps = {
  publicUrl: string
  endpoints: Pick<EndpointStore, 'namesByOwners'>
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
      const page = { limit: LOOK_MAX + 1, before: null }
      const found = await endpoints.namesByOwners(owners, wanted, page)
      const [active = null, ...others] = found.filter(({ status }) => status === 'active')
      const isSole = others.length === 0 && found.length <= LOOK_MAX
      return isSole ? (active?.svceId ?? null) : null
    },
  }
}
