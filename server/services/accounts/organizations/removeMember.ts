import { apiError } from '../../../errors.ts'
import type { ApiKeyStore } from '../../../store/accounts/apiKeyStore.ts'
import type { InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { Member, OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { refuseSuspendedOrganization } from '../../requireWriter.ts'
import type { AccountCaches } from '../accountCaches.ts'
import { type OwnInvitationDeps, ownInvitation } from './acceptInvitation.ts'
import { keepAnOwner, requireManager } from './requireManager.ts'

export type RemoveMemberDeps = OwnInvitationDeps & {
  organizations: Pick<OrganizationStore, 'members' | 'deleteMembership'>
  invitations: Pick<InvitationStore, 'ofOrganization' | 'delete' | 'deleteMadeBy'>
  apiKeys: ApiKeyStore
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'keys' | 'onMemberChanged'>
}

export type RemoveMemberInput = {
  principal: SessionPrincipal
  organizationId: string
  /** Id of the user or of the invitation. */
  userId: string
  now: number
}

type Trx = Parameters<InvitationStore['delete']>[0]

/**
 * Removes a member, withdraws an invitation, or lets the caller leave or decline. The keys that a removed member created in
 * the organisation are revoked permanently, and the invitations that the member issued end. A suspended organisation can
 * still be left.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, ORGANIZATION_SUSPENDED, INVALID_STATE.
 */
export async function removeMember(deps: RemoveMemberDeps, input: RemoveMemberInput): Promise<void> {
  const { principal, organizationId, userId, now } = input
  if (userId !== principal.userId) refuseSuspendedOrganization(principal, organizationId)
  const revoked = await deps.transaction(
    async (trx) => {
      const members = await deps.organizations.members(trx, organizationId)
      const member = members.find((one) => one.userId === userId)
      if (!member) return takeBack(deps, trx, members, input)
      if (userId !== principal.userId) requireManager(members, principal.userId, [member.role])
      keepAnOwner(members.filter((one) => one !== member))
      await deps.organizations.deleteMembership(trx, organizationId, userId)
      await deps.invitations.deleteMadeBy(trx, { organizationId, userId }, [])
      return deps.apiKeys.revokeOfMember(trx, { organizationId, userId }, now)
    },
    [`organization ${organizationId}`, `account ${userId}`],
  )
  deps.caches.onMemberChanged(userId, organizationId)
  for (const { keyHash } of revoked) deps.caches.keys.delete(keyHash)
}

async function takeBack(
  deps: RemoveMemberDeps,
  trx: Trx,
  members: readonly Member[],
  { principal, organizationId, userId, now }: RemoveMemberInput,
): Promise<[]> {
  const invitations = await deps.invitations.ofOrganization(trx, organizationId, now)
  const own = userId === principal.userId ? await ownInvitation(deps, trx, userId, invitations) : null
  const invitation = own?.invitation ?? invitations.find(({ id }) => id === userId)
  if (!own) requireManager(members, principal.userId, invitation ? [invitation.role] : [])
  if (!invitation) throw apiError('NOT_FOUND')
  await deps.invitations.delete(trx, invitation.id)
  return []
}
