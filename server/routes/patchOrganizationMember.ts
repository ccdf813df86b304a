import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

const body = z
  .object({ role: accountSchemas.role.optional(), status: z.enum(['active', 'suspended']).optional() })
  .refine((change) => change.role !== undefined || change.status !== undefined, 'expected role or status')

/** Source: api.md "Accounts". */
export const patchOrganizationMember: Operation = {
  summary:
    'Changes a member’s or an invitation’s role, suspends or reinstates; an invited user accepts by `status: active`.',
  body,
  answer: z.object({ success: z.literal(true), member: accountSchemas.member }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const member = await services.accounts.changeMember({
      principal: callerOf(call, 'session'),
      organizationId: call.params.id ?? '',
      userId: call.params.userId ?? '',
      change: parseInput(body, call.body),
      now: call.now,
    })
    return { body: { success: true, member } }
  },
}
