import type { Member } from '@svc/core/contract/accounts.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { MemberRole } from '@svc/core/memberRole.ts'
import { apiError } from '../../../errors.ts'
import type { Invitation, InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { Db } from '../../../store/database/database.ts'
import { isWithinBudget } from '../../isWithinBudget.ts'
import { type Post, postMail } from '../../mail/postMail.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { refuseSuspendedOrganization } from '../../requireWriter.ts'
import { toMemberView } from './listMembers.ts'
import { requireManager } from './requireManager.ts'

type Budget = { take(caller: string, now: number): unknown }

export type InviteMemberDeps = {
  organizations: Pick<OrganizationStore, 'members' | 'byId'>
  invitations: Pick<InvitationStore, 'ofOrganization' | 'replace'>
  query: Db['query']
  transaction: Db['transaction']
  post: Post
  /** Invitations that an account sends, and mails to one address; each throws when exhausted. */
  invites: { bySender: Budget; byRecipient: Budget }
}

export type InviteMemberInput = {
  principal: SessionPrincipal
  organizationId: string
  /** Lower case. */
  email: string
  role: MemberRole
  now: number
}

const MEMBERS_MAX = 500
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Invites an address to an organisation and mails it a link, whether or not it has an account.
 *
 * The invitee acts for the organisation only after accepting: otherwise anyone could make a stranger's keys act for an
 * unknown organisation. Inviting again replaces the invitation, so it needs the permission to withdraw the first. An
 * address that has received enough mails today gets no further one, but the invitation still counts.
 *
 * @throws ApiError NOT_FOUND for an unknown organisation, FORBIDDEN, ORGANIZATION_SUSPENDED, INVALID_STATE for a member,
 * RATE_LIMITED.
 */
export async function inviteMember(deps: InviteMemberDeps, input: InviteMemberInput): Promise<Member> {
  const { principal, organizationId, email, role, now } = input
  refuseSuspendedOrganization(principal, organizationId)
  const token = Buffer.from(deps.post.randomBytes(32)).toString('base64url')
  const invitation: Invitation = {
    id: generateUuidV7(now, deps.post.randomBytes(10)),
    organizationId,
    email,
    role,
    invitedBy: principal.userId,
    tokenHash: sha256Hex(token),
    createdAt: now,
    expiresAt: now + LIFETIME_MS,
  }
  await checkRoom(deps, deps.query, input)
  await deps.invites.bySender.take(principal.userId, now)
  const isMailed = await isWithinBudget(deps.invites.byRecipient, sha256Hex(email), now)
  const member = await deps.transaction(
    async (trx) => {
      await checkRoom(deps, trx, input)
      await deps.invitations.replace(trx, invitation)
      const invited = toMemberView(invitation)
      if (!isMailed) return invited
      const organizationName = (await deps.organizations.byId(trx, organizationId))?.name ?? ''
      const data = { organizationName, role, link: `${deps.post.appUrl}/invitations/${token}` }
      const { expiresAt } = invitation
      await postMail(deps.post, trx, { template: 'invitation', recipient: email, data, now, expiresAt })
      return invited
    },
    [`organization ${organizationId}`],
  )
  deps.post.wake()
  return member
}

async function checkRoom(
  deps: InviteMemberDeps,
  db: Parameters<InvitationStore['ofOrganization']>[0],
  input: InviteMemberInput,
): Promise<void> {
  const { principal, organizationId, email, role, now } = input
  const members = await deps.organizations.members(db, organizationId)
  requireManager(members, principal.userId, [role])
  const invited = await deps.invitations.ofOrganization(db, organizationId, now)
  const replaced = invited.find((one) => one.email === email)
  if (replaced) requireManager(members, principal.userId, [replaced.role])
  if (members.some((member) => member.email === email)) {
    throw apiError('INVALID_STATE', { message: 'The account is already a member of the organisation.' })
  }
  if (members.length + invited.length - (replaced ? 1 : 0) >= MEMBERS_MAX) {
    throw apiError('INVALID_STATE', { message: `An organisation has at most ${MEMBERS_MAX} members.` })
  }
}
