import type { AccountFacts } from '../accounts/accountFacts.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { ReadThroughCache } from '../readThroughCache.ts'

export type SharesOwnerDeps = {
  /** The internal id of the account behind a developer's identifier. */
  userIds: Pick<ReadThroughCache<string>, 'get'>
  accounts: Pick<ReadThroughCache<AccountFacts>, 'get'>
}

/**
 * Whether agent and endpoint have the same owner: the same account or organisation, or an account and an organisation that
 * it administers.
 *
 * It depends on the two parties only, not on whose key asks. Source: `Spec: Trust score to access level`, `internal`.
 */
export function sharesOwner(
  deps: SharesOwnerDeps,
  agentOwnerId: string,
  endpointOwnerId: string,
): boolean | Promise<boolean> {
  if (agentOwnerId === endpointOwnerId) return true
  const isOfOrganization = agentOwnerId.startsWith('SVCO-')
  if (isOfOrganization === endpointOwnerId.startsWith('SVCO-')) return false
  const [developerId, organizationId] = isOfOrganization
    ? [endpointOwnerId, agentOwnerId]
    : [agentOwnerId, endpointOwnerId]
  const userId = deps.userIds.get(developerId)
  return userId instanceof Promise
    ? userId.then((loaded) => administers(deps, loaded, organizationId))
    : administers(deps, userId, organizationId)
}

/** Whether the answer to a request may show what only the agent's owner may see. */
export function isForOwner({
  agent,
  principal,
  sharesOwner,
}: {
  agent: { ownerId: string }
  principal: Pick<ApiKeyPrincipal, 'actsFor'>
  sharesOwner: boolean
}): boolean {
  return sharesOwner || principal.actsFor.has(agent.ownerId)
}

function administers(
  { accounts }: SharesOwnerDeps,
  userId: string | null,
  organizationId: string,
): boolean | Promise<boolean> {
  const account = userId === null ? null : accounts.get(userId)
  return account instanceof Promise
    ? account.then((loaded) => loaded?.administers.has(organizationId) === true)
    : account?.administers.has(organizationId) === true
}
