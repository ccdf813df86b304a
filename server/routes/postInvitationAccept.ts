import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({ token: accountSchemas.mailedToken })

/** Source: api.md "Accounts". */
export const postInvitationAccept: Operation = {
  summary: 'Accepts an invitation by its mailed token, as the account of the address it was mailed to.',
  body,
  answer: z.object({ success: z.literal(true), organization: accountSchemas.organization }),
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const { token } = parseInput(body, call.body)
    const principal = callerOf(call, 'session')
    const organization = await services.accounts.acceptInvitation({ principal, token, now: call.now })
    return { body: { success: true, organization } }
  },
}
