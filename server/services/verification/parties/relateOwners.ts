import { identifySource } from '@svc/core/trustScore.ts'
import type { OwnerPeople } from '../../accounts/ownerPeople.ts'
import type { ApiKeyPrincipal } from '../../principal.ts'
import type { ReadThroughCache } from '../../readThroughCache.ts'

/** What the owners of an agent and an endpoint have to do with each other. */
export type OwnerRelation = {
  /**
   * Whether they are the same account or organisation, or an account and the organisation that it created and administers.
   * Source: `Spec: Trust score to access level`, `internal`; docs/decisions/0148.
   */
  sharesOwner: boolean
  /** The source of the outcomes at the endpoint; null if they count nothing, as where somebody is behind both. */
  sourceId: string | null
  /** Who answers for the endpoint: its developer, or the creator of its organisation. */
  counterpartyId: string
}

/** Owner of the sample counterparty: no account. */
export const SAMPLE_OWNER_ID = `SVCD-${'0'.repeat(22)}`

/** The people behind owners, by `SVCD-` or `SVCO-`. */
export type OwnersDeps = Pick<ReadThroughCache<OwnerPeople>, 'get'>

/**
 * Relates the owners of agent and endpoint. It depends on the two parties only; `isForOwner` says what the caller may see.
 *
 * @throws Error if an owner cannot be loaded.
 */
export function relateOwners(
  owners: OwnersDeps,
  agentOwnerId: string,
  endpointOwnerId: string,
): OwnerRelation | Promise<OwnerRelation> {
  const ofAgent = owners.get(agentOwnerId)
  const ofEndpoint = owners.get(endpointOwnerId)
  const relate = (agentSide: OwnerPeople | null, endpointSide: OwnerPeople | null): OwnerRelation => {
    if (agentSide === null || endpointSide === null) throw new Error('the people behind an owner are unknown')
    return {
      sharesOwner: agentOwnerId === endpointOwnerId || isOwnOrganization(agentSide, endpointSide),
      // Every agent is served there, so it vouches for none.
      sourceId:
        endpointOwnerId === SAMPLE_OWNER_ID ? null : identifySource(agentSide.people, endpointSide.people),
      counterpartyId: endpointSide.people[0],
    }
  }
  return ofAgent instanceof Promise || ofEndpoint instanceof Promise
    ? Promise.all([ofAgent, ofEndpoint]).then((both) => relate(...both))
    : relate(ofAgent, ofEndpoint)

  /** Anyone can make others admins of an organisation, and being one opens no mandate: only its creator owns it. */
  function isOwnOrganization(agentSide: OwnerPeople, endpointSide: OwnerPeople): boolean {
    const isOfOrganization = agentOwnerId.startsWith('SVCO-')
    if (isOfOrganization === endpointOwnerId.startsWith('SVCO-')) return false
    const [creator] = agentSide.people
    const { administrators } = isOfOrganization ? agentSide : endpointSide
    return creator === endpointSide.people[0] && administrators.has(creator)
  }
}

/**
 * Whether the answer to a request may show what only the agent's owner may see. It depends on whose key asks, and not on
 * who owns the endpoint: other members of an organisation ask at its endpoints, too.
 */
export function isForOwner({
  agent,
  principal,
}: {
  agent: { ownerId: string }
  principal: Pick<ApiKeyPrincipal, 'actsFor'>
}): boolean {
  return principal.actsFor.has(agent.ownerId)
}
