import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({
  currentPassword: z.string().min(1).max(200).optional(),
  newPassword: accountSchemas.newPassword,
})

/** Source: api.md "Accounts". */
export const postAuthPasswordChange: Operation = {
  summary: 'Changes the password, by the one there is or a fresh passkey, and ends the other sessions.',
  body,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const { currentPassword, newPassword } = parseInput(body, call.body)
    const principal = callerOf(call, 'session')
    const { ip, now } = call
    await services.signIn.changePassword({ principal, currentPassword, newPassword, ip, now })
    return { body: { success: true } }
  },
}
