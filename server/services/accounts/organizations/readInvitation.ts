import type { OrganizationInvitation } from '@svc/core/contract/organizations.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../../errors.ts'
import type { InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { UserStore } from '../../../store/accounts/userStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { SessionPrincipal } from '../../principal.ts'

export type ReadInvitationDeps = {
  users: Pick<UserStore, 'byId'>
  organizations: Pick<OrganizationStore, 'byId'>
  invitations: Pick<InvitationStore, 'byToken'>
  query: Db['query']
}

export type ReadInvitationInput = { principal: SessionPrincipal; token: string; now: number }

/**
 * Reads what an invitation offers, by its mailed token, so that nobody has to accept it to find out.
 *
 * Whoever has the token has read the mail. The invited address is not returned even so, because mails are forwarded.
 *
 * @throws ApiError INVALID_TOKEN.
 */
export async function readInvitation(
  deps: ReadInvitationDeps,
  { principal, token, now }: ReadInvitationInput,
): Promise<OrganizationInvitation> {
  const invitation = await deps.invitations.byToken(deps.query, sha256Hex(token), now)
  const organization = invitation && (await deps.organizations.byId(deps.query, invitation.organizationId))
  if (!organization) throw apiError('INVALID_TOKEN')
  const inviter = invitation.invitedBy && (await deps.users.byId(invitation.invitedBy))
  const caller = await deps.users.byId(principal.userId)
  return {
    organizationName: organization.name,
    role: invitation.role,
    invitedBy: inviter ? inviter.fullName : null,
    isForCaller: caller?.email === invitation.email,
    expiresAt: new Date(invitation.expiresAt).toISOString(),
  }
}
