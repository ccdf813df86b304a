import type { Member as MemberView } from '@svc/core/contract/accounts.ts'
import type { Invitation, InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { Member, OrganizationStore } from '../../../store/accounts/organizationStore.ts'
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
 * Lists an organisation's members, newest first, for its active members; managers also see invited addresses.
 *
 * @throws ApiError NOT_FOUND for an organisation in which the caller is not active.
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

/** Newest first. */
function order(a: Place, b: Place): number {
  return b.at - a.at || b.id.localeCompare(a.id)
}

export function toMemberView(shown: Member | Invitation): MemberView {
  const { email, role } = shown
  const createdAt = new Date(shown.createdAt).toISOString()
  if ('tokenHash' in shown) {
    return { id: shown.id, userId: null, email, fullName: null, role, status: 'invited', createdAt }
  }
  const { userId, fullName, status } = shown
  return { id: userId, userId, email, fullName, role, status, createdAt }
}
