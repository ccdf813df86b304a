import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { callerOf } from '../border/callerOf.ts'
import { PAGE_QUERY, pageAnswer, readPart, writePage } from '../border/pagination.ts'
import type { Operation } from '../operation.ts'
import { accountSchemas } from './accountSchemas.ts'

const postOrganizationsBody = z.object({ name: accountSchemas.name })

/** Source: api.md "Accounts". */
export const postOrganizations: Operation = {
  summary: 'Creates an organisation, whose first owner is the caller.',
  body: postOrganizationsBody,
  status: 201,
  answer: z.object({
    success: z.literal(true),
    organizationId: z.string(),
    organization: accountSchemas.organization,
  }),
  errors: ['VALIDATION_ERROR', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { name } = parseInput(postOrganizationsBody, call.body)
    const principal = callerOf(call, 'session')
    const organization = await services.accounts.createOrganization({ principal, name, now: call.now })
    const { organizationId } = organization
    return { status: 201, body: { success: true, organizationId, organization } }
  },
}

/** Source: api.md "Accounts". */
export const getOrganizations: Operation = {
  summary: 'Lists the organisations the caller is in or invited to, newest first.',
  query: PAGE_QUERY,
  answer: pageAnswer(accountSchemas.organization),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const asked = readPart(call.query)
    const principal = callerOf(call, 'session')
    const input = { principal, ...asked, now: call.now }
    return { body: writePage(await services.accounts.listOrganizations(input)) }
  },
}

const postOrganizationMembersBody = z.object({ email: accountSchemas.email, role: accountSchemas.role })

/** Source: api.md "Accounts". */
export const postOrganizationMembers: Operation = {
  summary:
    'Invites an e-mail address into an organisation; the answer is the same whether it has an account.',
  body: postOrganizationMembersBody,
  status: 201,
  answer: z.object({ success: z.literal(true), member: accountSchemas.member }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { email, role } = parseInput(postOrganizationMembersBody, call.body)
    const member = await services.accounts.inviteMember({
      principal: callerOf(call, 'session'),
      organizationId: call.params.id ?? '',
      email,
      role,
      now: call.now,
    })
    return { status: 201, body: { success: true, member } }
  },
}

/** Source: api.md "Accounts". */
export const getOrganizationMembers: Operation = {
  summary:
    'Lists the members of an organisation the caller is in, and, for who manages it, invited addresses.',
  query: PAGE_QUERY,
  answer: pageAnswer(accountSchemas.member),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const asked = readPart(call.query)
    const part = await services.accounts.listMembers({
      principal: callerOf(call, 'session'),
      organizationId: call.params.id ?? '',
      ...asked,
      now: call.now,
    })
    return { body: writePage(part) }
  },
}

const patchOrganizationMemberBody = z
  .object({ role: accountSchemas.role.optional(), status: z.enum(['active', 'suspended']).optional() })
  .refine((change) => change.role !== undefined || change.status !== undefined, 'expected role or status')

/** Source: api.md "Accounts". */
export const patchOrganizationMember: Operation = {
  summary:
    'Changes a member’s or an invitation’s role, suspends or reinstates; an invited user accepts by `status: active`.',
  body: patchOrganizationMemberBody,
  answer: z.object({ success: z.literal(true), member: accountSchemas.member }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const member = await services.accounts.changeMember({
      principal: callerOf(call, 'session'),
      organizationId: call.params.id ?? '',
      userId: call.params.userId ?? '',
      change: parseInput(patchOrganizationMemberBody, call.body),
      now: call.now,
    })
    return { body: { success: true, member } }
  },
}

/** Source: api.md "Accounts". */
export const deleteOrganizationMember: Operation = {
  summary:
    'Takes a member out and revokes its keys there, or takes an invitation back; a member may leave by itself.',
  answer: z.object({ success: z.literal(true) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    await services.accounts.removeMember({
      principal: callerOf(call, 'session'),
      organizationId: call.params.id ?? '',
      userId: call.params.userId ?? '',
      now: call.now,
    })
    return { body: { success: true } }
  },
}

const postInvitationAcceptBody = z.object({ token: accountSchemas.mailedToken })

/** Source: api.md "Accounts". */
export const postInvitationAccept: Operation = {
  summary: 'Accepts an invitation by its mailed token, as the account of the address it was mailed to.',
  body: postInvitationAcceptBody,
  answer: z.object({ success: z.literal(true), organization: accountSchemas.organization }),
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const { token } = parseInput(postInvitationAcceptBody, call.body)
    const principal = callerOf(call, 'session')
    const organization = await services.accounts.acceptInvitation({ principal, token, now: call.now })
    return { body: { success: true, organization } }
  },
}
