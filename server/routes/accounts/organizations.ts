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
import { type RemoveMemberDeps, removeMember } from '../../services/accounts/organizations/removeMember.ts'
import { callerOf } from '../border/callerOf.ts'
import { PAGE_QUERY, readPart, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

/** Source: api.md "Accounts". */
export const postOrganizations = operation({
  summary: 'Creates an organisation, whose first owner is the caller.',
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

/** Source: api.md "Accounts". */
export const getOrganizations = operation({
  summary: 'Lists the organisations the caller is in or invited to, newest first.',
  query: PAGE_QUERY,
  answer: organizationOperations['GET /api/organizations'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { accounts: ListOrganizationsDeps }) => async (call) => {
    const asked = readPart(call.query)
    const principal = callerOf(call, 'session')
    const input = { principal, ...asked, now: call.now }
    return { body: writePage(await listOrganizations(parts.accounts, input)) }
  },
})

/** Source: api.md "Accounts". */
export const postOrganizationMembers = operation({
  summary:
    'Invites an e-mail address into an organisation; the answer is the same whether it has an account.',
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

/** Source: api.md "Accounts". */
export const getOrganizationMembers = operation({
  summary:
    'Lists the members of an organisation the caller is in, and, for who manages it, invited addresses.',
  query: PAGE_QUERY,
  answer: organizationOperations['GET /api/organizations/:id/members'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (parts: { accounts: ListMembersDeps }) => async (call) => {
    const asked = readPart(call.query)
    const part = await listMembers(parts.accounts, {
      principal: callerOf(call, 'session'),
      organizationId: call.params.id ?? '',
      ...asked,
      now: call.now,
    })
    return { body: writePage(part) }
  },
})

/** Source: api.md "Accounts". */
export const patchOrganizationMember = operation({
  summary:
    'Changes a member’s or an invitation’s role, suspends or reinstates; an invited user accepts by `status: active`.',
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

/** Source: api.md "Accounts". */
export const deleteOrganizationMember = operation({
  summary:
    'Takes a member out and revokes its keys there, or takes an invitation back; a member may leave by itself.',
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

/** Source: api.md "Accounts". */
export const postInvitationAccept = operation({
  summary: 'Accepts an invitation by its mailed token, as the account of the address it was mailed to.',
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
