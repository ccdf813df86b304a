import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { VerificationAnswer } from '@svc/core/contract/verification.ts'
import { normaliseUrl } from '@svc/core/url/url.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'
import type { VerificationDeps } from './verificationDeps.ts'

type StampDeps = Pick<VerificationDeps, 'agentBySvcId' | 'resolve'>

/**
 * Describes the parties of a request, as far as a decision on it depends on them: their states, boundaries and owners.
 *
 * Two equal texts mean that nothing relevant was changed in between. A URL that nobody has claimed always has the same.
 */
export async function stampParties(
  { agentBySvcId, resolve }: StampDeps,
  principal: ApiKeyPrincipal,
  request: Pick<VerificationRequest, 'agentId' | 'counterpartyId' | 'counterpartyUrl'>,
): Promise<string> {
  const agent = request.agentId === undefined ? null : await agentBySvcId(request.agentId)
  const endpoint = await findEndpoint(resolve, principal, request)
  return JSON.stringify([
    agent && [agent.status, agent.contextHash, agent.ownerId, agent.facts.certifications],
    endpoint && endpoint.svceId !== null ? describeEndpoint(endpoint, principal) : 'unclaimed',
  ])
}

/**
 * Whether a stored answer may be repeated while its parties are unchanged.
 *
 * Never one that is held, since the owner's decision changes it; one about a caller without identity, whose correlationId
 * stands for a single call; or one about third-party credentials, which can be withdrawn elsewhere.
 */
export function isRepeatable(
  { recommendation, correlationId }: Pick<VerificationAnswer, 'recommendation' | 'correlationId'>,
  { credentials = [] }: Pick<VerificationRequest, 'credentials'>,
): boolean {
  return recommendation !== 'step_up_required' && correlationId === undefined && credentials.length === 0
}

async function findEndpoint(
  { endpoints }: StampDeps['resolve'],
  { organizationId, developerId }: ApiKeyPrincipal,
  { counterpartyId, counterpartyUrl }: Pick<VerificationRequest, 'counterpartyId' | 'counterpartyUrl'>,
): Promise<VerifiableEndpoint | null> {
  if (counterpartyId !== undefined) return endpoints.byPublicId(counterpartyId)
  const normal = normaliseUrl(counterpartyUrl ?? '')
  return normal.ok ? endpoints.byUrl(normal.url, organizationId ?? developerId) : null
}

function describeEndpoint(
  { id, contextHash, ownerId, facts }: VerifiableEndpoint,
  { actsFor }: ApiKeyPrincipal,
) {
  const { status, tier, trustScoreRequirement, unverifiedAgentPolicy } = facts
  return [
    ...[id, contextHash, ownerId, actsFor.has(ownerId)],
    ...[status, tier, trustScoreRequirement, unverifiedAgentPolicy],
  ]
}
