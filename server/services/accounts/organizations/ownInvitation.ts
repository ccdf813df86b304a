import type { Invitation, InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { User, UserStore } from '../../../store/accounts/userStore.ts'

export type OwnInvitationDeps = { users: Pick<UserStore, 'byId'> }

/**
 * The invitation of the user's own address among those of an organisation; null as long as the address is not proven,
 * because anybody can open an account with an address that is somebody else's.
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
