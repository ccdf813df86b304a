import type { CompiledScope } from '../../pdlss/compileScope.ts'
import type { VerifiedInput } from '../facts.ts'
import { type Findings, findingOf, NOTHING } from '../findings.ts'
import type { VerificationRequest } from '../verificationRequest.ts'

const ASK = findingOf('pdlss.scope.approval_required')
const OWN = findingOf('pdlss.scope')
const ENDPOINT = findingOf('endpoint.scope')

/**
 * Resource, jurisdiction and counterparty against both boundaries, unless caller and endpoint share an owner.
 *
 * On the endpoint's side the counterparty is the agent, so its minCounterpartyTrustScore is compared with the agent's score.
 * Spec: PDLSS object, scope; access level `internal`.
 */
export function checkScope({ agent, endpoint, request, sharesOwner }: VerifiedInput): Findings {
  if (sharesOwner) return NOTHING
  const own = agent.policy.scope
  const theirs = endpoint.policy.scope
  const isOutside = isRefused(own, request) || own.refusesCounterparty(endpoint.host, endpoint.merchantIds)
  const isOutsideThere =
    isRefused(theirs, request) ||
    (agent.trustScore !== undefined && agent.trustScore < theirs.minCounterpartyTrustScore)
  const found = isOutside ? (agent.approvalRules.asksOnScope(request, endpoint.host) ? ASK : OWN) : NOTHING
  return found | (isOutsideThere ? ENDPOINT : NOTHING)
}

function isRefused(scope: CompiledScope, request: VerificationRequest): boolean {
  return (
    scope.refusesResource(request) ||
    scope.refusesResourceType(request.resourceType) ||
    scope.refusesJurisdiction(request.jurisdiction)
  )
}
