import { z } from 'zod'
import { accountSchemas } from './accounts.ts'
import { done, nameSchema, pageAnswer, success } from './envelope.ts'

export const postOrganizationsBody = z.object({ name: nameSchema.trim() })

export const postOrganizationMembersBody = z.object({
  email: accountSchemas.email,
  role: accountSchemas.role,
})

export const patchOrganizationMemberBody = z
  .strictObject({ role: accountSchemas.role.optional(), status: z.enum(['active', 'suspended']).optional() })
  .refine((change) => change.role !== undefined || change.status !== undefined, 'expected role or status')

/** What an invitation offers to whoever has its mailed token. */
const invitation = z.object({
  organizationName: z.string(),
  role: accountSchemas.role,
  /** The name of the account that invites; null if it is unknown. */
  invitedBy: z.string().nullable(),
  /** Whether it was mailed to the address of the caller's account, which alone can accept it. */
  isForCaller: z.boolean(),
  expiresAt: z.string(),
})

export type OrganizationInvitation = z.output<typeof invitation>

export const postInvitationAcceptBody = z.object({ token: accountSchemas.mailedToken })

/** Request and response schemas of the operations, by method and path. */
export const organizationOperations = {
  'POST /api/organizations': {
    body: postOrganizationsBody,
    answer: success({
      organizationId: z.string(),
      organization: accountSchemas.organization,
    }),
  },
  'GET /api/organizations': { answer: pageAnswer(accountSchemas.organization) },
  'POST /api/organizations/:id/members': {
    body: postOrganizationMembersBody,
    answer: success({ member: accountSchemas.member }),
  },
  'GET /api/organizations/:id/members': { answer: pageAnswer(accountSchemas.member) },
  'PATCH /api/organizations/:id/members/:userId': {
    body: patchOrganizationMemberBody,
    answer: success({ member: accountSchemas.member }),
  },
  'DELETE /api/organizations/:id/members/:userId': { answer: done },
  'GET /api/invitations/:token': { answer: success({ invitation }) },
  'POST /api/invitations/accept': {
    body: postInvitationAcceptBody,
    answer: success({ organization: accountSchemas.organization }),
  },
} as const
