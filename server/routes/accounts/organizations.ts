import {
  organizationOperations,
  patchOrganizationMemberBody,
  postInvitationAcceptBody,
  postOrganizationMembersBody,
  postOrganizationsBody,
} from '@svc/core/contract/organizations.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type AcceptInvitationDeps,
  acceptInvitation,
} from '../../services/accounts/organizations/acceptInvitation.ts'
import { type ChangeMemberDeps, changeMember } from '../../services/accounts/organizations/changeMember.ts'
import {
  type CreateOrganizationDeps,
  createOrganization,
} from '../../services/accounts/organizations/createOrganization.ts'
import { type InviteMemberDeps, inviteMember } from '../../services/accounts/organizations/inviteMember.ts'
import { type ListMembersDeps, listMembers } from '../../services/accounts/organizations/listMembers.ts'
import {
  type ListOrganizationsDeps,
  listOrganizations,
} from '../../services/accounts/organizations/listOrganizations.ts'
import {
  type ReadInvitationDeps,
  readInvitation,
} from '../../services/accounts/organizations/readInvitation.ts'
import { type RemoveMemberDeps, removeMember } from '../../services/accounts/organizations/removeMember.ts'
import { callerOf } from '../border/callerOf.ts'
import { PAGE_QUERY, readTimedPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

export const postOrganizations = operation({
  summary: 'Creates an organisation with the caller as its first owner.',
  body: organizationOperations['POST /api/organizations'].body,
  status: 201,
  answer: organizationOperations['POST /api/organizations'].answer,
  errors: ['VALIDATION_ERROR', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { accounts: CreateOrganizationDeps }) => async (call) => {
    const { name } = parseInput(postOrganizationsBody, call.body)
    const principal = callerOf(call, 'session')
    const organization = await call.once(() =>
      createOrganization(parts.accounts, { principal, name, now: call.now }),
    )
    const { organizationId } = organization
    return { status: 201, body: { success: true, organizationId, organization } }
  },
})

export const getOrganizations = operation({
  summary: 'Lists the organisations that the caller belongs or is invited to, newest first.',
  query: PAGE_QUERY,
  answer: organizationOperations['GET /api/organizations'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { accounts: ListOrganizationsDeps }) => async (call) => {
    const page = readTimedPage(call.query)
    const principal = callerOf(call, 'session')
    const input = { principal, ...page, now: call.now }
    return { body: writePage(await listOrganizations(parts.accounts, input)) }
  },
})

export const postOrganizationMembers = operation({
  summary:
    'Invites an e-mail address to an organisation; the response does not reveal whether it has an account.',
  body: organizationOperations['POST /api/organizations/:id/members'].body,
  status: 201,
  answer: organizationOperations['POST /api/organizations/:id/members'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { accounts: InviteMemberDeps }) => async (call) => {
    const { email, role } = parseInput(postOrganizationMembersBody, call.body)
    const member = await call.once(() =>
      inviteMember(parts.accounts, {
        principal: callerOf(call, 'session'),
        organizationId: call.params.id ?? '',
        email,
        role,
        now: call.now,
      }),
    )
    return { status: 201, body: { success: true, member } }
  },
})

export const getOrganizationMembers = operation({
  summary:
    'Lists the members of one of the caller’s organisations and, for those who manage it, the invited addresses.',
  query: PAGE_QUERY,
  answer: organizationOperations['GET /api/organizations/:id/members'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (parts: { accounts: ListMembersDeps }) => async (call) => {
    const page = readTimedPage(call.query)
    const part = await listMembers(parts.accounts, {
      principal: callerOf(call, 'session'),
      organizationId: call.params.id ?? '',
      ...page,
      now: call.now,
    })
    return { body: writePage(part) }
  },
})

export const patchOrganizationMember = operation({
  summary:
    'Changes the role or status of a member or an invitation; an invited user accepts with `status: active`.',
  body: organizationOperations['PATCH /api/organizations/:id/members/:userId'].body,
  answer: organizationOperations['PATCH /api/organizations/:id/members/:userId'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { accounts: ChangeMemberDeps }) => async (call) => {
    const member = await changeMember(parts.accounts, {
      principal: callerOf(call, 'session'),
      organizationId: call.params.id ?? '',
      userId: call.params.userId ?? '',
      change: parseInput(patchOrganizationMemberBody, call.body),
      now: call.now,
    })
    return { body: { success: true, member } }
  },
})

export const deleteOrganizationMember = operation({
  summary:
    'Removes a member and revokes their API keys in the organisation, or withdraws an invitation; members may remove themselves.',
  answer: organizationOperations['DELETE /api/organizations/:id/members/:userId'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { accounts: RemoveMemberDeps }) => async (call) => {
    await removeMember(parts.accounts, {
      principal: callerOf(call, 'session'),
      organizationId: call.params.id ?? '',
      userId: call.params.userId ?? '',
      now: call.now,
    })
    return { body: { success: true } }
  },
})

export const getInvitation = operation({
  summary: 'Returns what an invitation offers, by its mailed token, before it is accepted.',
  answer: organizationOperations['GET /api/invitations/:token'].answer,
  errors: ['INVALID_TOKEN'],
  handle: (parts: { accounts: ReadInvitationDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { token = '' } = call.params
    const invitation = await readInvitation(parts.accounts, { principal, token, now: call.now })
    return { body: { success: true, invitation } }
  },
})

export const postInvitationAccept = operation({
  summary: 'Accepts an invitation with the mailed token, as the account of the invited address.',
  body: organizationOperations['POST /api/invitations/accept'].body,
  answer: organizationOperations['POST /api/invitations/accept'].answer,
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN', 'INVALID_STATE'],
  handle: (parts: { accounts: AcceptInvitationDeps }) => async (call) => {
    const { token } = parseInput(postInvitationAcceptBody, call.body)
    const principal = callerOf(call, 'session')
    const organization = await acceptInvitation(parts.accounts, { principal, token, now: call.now })
    return { body: { success: true, organization } }
  },
})
