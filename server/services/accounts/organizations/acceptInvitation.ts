import type { Organization } from '@svc/core/contract/accounts.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../../errors.ts'
import type { Invitation, InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { User, UserStore } from '../../../store/accounts/userStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { AccountCaches } from '../accountCaches.ts'
import { type JoinOrganizationDeps, joinOrganization } from './joinOrganization.ts'
import { toOrganizationView } from './listOrganizations.ts'

export type AcceptInvitationDeps = JoinOrganizationDeps & {
  users: Pick<UserStore, 'byId' | 'verifyEmail'>
  organizations: Pick<OrganizationStore, 'byId'>
  invitations: Pick<InvitationStore, 'byToken'>
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'onMemberChanged'>
  /** Called when the inputs of the trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
}

export type AcceptInvitationInput = { principal: SessionPrincipal; token: string; now: number }

/**
 * Accepts an invitation by its mailed token as the account with the invited address; the token verifies the address.
 *
 * @throws ApiError INVALID_TOKEN, INVALID_STATE for another account, and as `joinOrganization`.
 */
export async function acceptInvitation(
  deps: AcceptInvitationDeps,
  { principal, token, now }: AcceptInvitationInput,
): Promise<Organization> {
  const { userId } = principal
  const joined = await deps.transaction(async (trx) => {
    const invitation = await deps.invitations.byToken(trx, sha256Hex(token), now)
    const organization = invitation && (await deps.organizations.byId(trx, invitation.organizationId))
    if (!organization) throw apiError('INVALID_TOKEN')
    const user = await deps.users.byId(userId, trx)
    if (user?.email !== invitation.email) {
      throw apiError('INVALID_STATE', { message: 'The invitation was mailed to another address.' })
    }
    const { role, status } = await joinOrganization(deps, trx, { user, invitation, now })
    const verified = await deps.users.verifyEmail(trx, invitation.email, now)
    return { verified, view: toOrganizationView({ ...organization, role, status, isSuspended: false }) }
  })
  deps.caches.onMemberChanged(userId, joined.view.organizationId)
  if (joined.verified !== null) await deps.onAccountChanged(userId)
  return joined.view
}

export type OwnInvitationDeps = { users: Pick<UserStore, 'byId'> }

/**
 * Finds the invitation of the user's own address among those of an organisation; null until the address is verified,
 * because anyone can open an account with another person's address.
 */
export async function ownInvitation(
  deps: OwnInvitationDeps,
  trx: Parameters<InvitationStore['delete']>[0],
  userId: string,
  invitations: readonly Invitation[],
): Promise<{ user: User; invitation: Invitation } | null> {
  const user = await deps.users.byId(userId, trx)
  if (!user || user.emailVerifiedAt === null) return null
  const invitation = invitations.find(({ email }) => email === user.email)
  return invitation ? { user, invitation } : null
}
