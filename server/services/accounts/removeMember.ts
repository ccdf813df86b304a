import { apiError } from '../../errors.ts'
import type { ApiKeyStore } from '../../store/apiKeyStore.ts'
import type { Db } from '../../store/database.ts'
import type { OrganizationStore } from '../../store/organizationStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { AccountCaches } from './accountCaches.ts'
import { keepAnOwner } from './keepAnOwner.ts'
import { requireManager } from './requireManager.ts'

export type RemoveMemberDeps = {
  organizations: OrganizationStore
  apiKeys: ApiKeyStore
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'keys' | 'accounts'>
}

export type RemoveMemberInput = {
  principal: SessionPrincipal
  organizationId: string
  userId: string
  now: number
}

/**
 * Takes a member out, or lets the caller leave or decline; the keys it made in the organisation are revoked for good.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, INVALID_STATE.
 */
export async function removeMember(deps: RemoveMemberDeps, input: RemoveMemberInput): Promise<void> {
  const { principal, organizationId, userId, now } = input
  const revoked = await deps.transaction(async (trx) => {
    const members = await deps.organizations.members(trx, organizationId)
    const member = members.find((one) => one.userId === userId)
    if (userId !== principal.userId) requireManager(members, principal.userId, member ? [member.role] : [])
    if (!member) throw apiError('NOT_FOUND')
    keepAnOwner(members.filter((one) => one !== member))
    await deps.organizations.deleteMembership(trx, organizationId, userId)
    return deps.apiKeys.revokeOfMember(trx, { organizationId, userId }, now)
  })
  deps.caches.accounts.delete(userId)
  for (const { keyHash } of revoked) deps.caches.keys.delete(keyHash)
}
