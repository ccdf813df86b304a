import type { MemberRole } from '@svc/core/memberRole.ts'
import type { Invitation, InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { Member, MemberStatus, OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { type ListPart, type ListRequest, listPage, type Place } from '../listPage.ts'
import { requireManager } from './requireManager.ts'

export type ListMembersDeps = {
  organizations: Pick<OrganizationStore, 'members'>
  invitations: Pick<InvitationStore, 'ofOrganization'>
  transaction: Db['transaction']
}

export type ListMembersInput = ListRequest & {
  principal: SessionPrincipal
  organizationId: string
  now: number
}

/**
 * The members of an organisation, the newest first, for each of its active members; those who manage it see the invited
 * addresses too.
 *
 * @throws ApiError NOT_FOUND for an organisation the caller is not active in.
 */
export async function listMembers(
  deps: ListMembersDeps,
  input: ListMembersInput,
): Promise<ListPart<MemberView>> {
  const { principal, organizationId, now } = input
  const shown = await deps.transaction(async (trx) => {
    const members = await deps.organizations.members(trx, organizationId)
    requireManager(members, principal.userId, [])
    const role = members.find(({ userId }) => userId === principal.userId)?.role
    const isManager = role === 'owner' || role === 'admin'
    const invited = isManager ? await deps.invitations.ofOrganization(trx, organizationId, now) : []
    return [...members, ...invited]
  })
  const items = shown
    .map(toMemberView)
    .map((view) => ({ view, place: { at: Date.parse(view.createdAt), id: view.id } }))
    .sort((a, b) => order(a.place, b.place))
  const read = async ({ before, limit }: ListRequest) =>
    items.filter(({ place }) => before === null || order(before, place) < 0).slice(0, limit)
  const part = await listPage(input, read, ({ place }) => place)
  return { ...part, items: part.items.map(({ view }) => view) }
}

/** The newest first. */
function order(a: Place, b: Place): number {
  return b.at - a.at || b.id.localeCompare(a.id)
}

/** A member, or an invited address, as the members of the organisation see it. */
export type MemberView = {
  /** What the paths name it by: of a member the user's id, of an invitation its own. */
  id: string
  /** Null for an invited address: whether it has an account is not said. */
  userId: string | null
  email: string | null
  fullName: string | null
  role: MemberRole
  status: MemberStatus
  createdAt: string
}

/** Shows a member or an invitation. */
export function toMemberView(shown: Member | Invitation): MemberView {
  const { email, role } = shown
  const createdAt = new Date(shown.createdAt).toISOString()
  if ('tokenHash' in shown) {
    return { id: shown.id, userId: null, email, fullName: null, role, status: 'invited', createdAt }
  }
  const { userId, fullName, status } = shown
  return { id: userId, userId, email, fullName, role, status, createdAt }
}
