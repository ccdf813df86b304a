import type { UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import type { EndpointRoute } from '../../store/endpoints/endpointStore.ts'

/** The body of an endpoint's registration after parsing. Source: `Spec: POST /api/endpoints`. */
export type EndpointRegistration = {
  counterpartyType: string
  name: string
  counterpartyUrl: string
  trustScoreRequirement: number
  unverifiedAgentPolicy: UnverifiedAgentPolicy
  pdlss: Pdlss
  routes: EndpointRoute[]
}
