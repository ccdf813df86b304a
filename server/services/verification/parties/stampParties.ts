import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { ApiKeyPrincipal } from '../../principal.ts'
import type { VerificationDeps } from '../verificationDeps.ts'
import { findEndpoint } from './findEndpoint.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

type StampDeps = Pick<VerificationDeps, 'agentBySvcId' | 'resolve'>

/**
 * Describes the parties of a request, as far as a decision on it depends on them: their states, boundaries, owners and keys.
 *
 * Two equal texts mean that nothing relevant was changed in between. A URL that nobody has claimed always has the same.
 *
 * @throws ApiError VALIDATION_ERROR for a URL that cannot be normalised.
 */
export async function stampParties(
  { agentBySvcId, resolve }: StampDeps,
  principal: ApiKeyPrincipal,
  request: Pick<VerificationRequest, 'agentId' | 'counterpartyId' | 'counterpartyUrl'>,
): Promise<string> {
  const agent = request.agentId === undefined ? null : await agentBySvcId(request.agentId)
  const { known } = await findEndpoint(resolve.endpoints, principal, request)
  return JSON.stringify([
    agent && describeAgent(agent),
    known && known.svceId !== null ? describeEndpoint(known, principal) : 'unclaimed',
  ])
}

function describeAgent({ status, contextHash, ownerId, facts, keys, accounts }: VerifiableAgent) {
  const active = keys.flatMap(({ kid, isRevoked }) => (isRevoked ? [] : [kid]))
  return [status, contextHash, ownerId, facts.certifications, active, accounts]
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
