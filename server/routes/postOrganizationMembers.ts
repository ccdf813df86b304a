import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({ email: accountSchemas.email, role: accountSchemas.role })

/** Source: api.md "Accounts". */
export const postOrganizationMembers: Operation = {
  summary:
    'Invites an e-mail address into an organisation; the answer is the same whether it has an account.',
  body,
  status: 201,
  answer: z.object({ success: z.literal(true), member: accountSchemas.member }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { email, role } = parseInput(body, call.body)
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
