import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

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
