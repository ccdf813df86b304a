import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import type { Operation } from './operation.ts'

const body = z.object({ token: accountSchemas.mailedToken, password: accountSchemas.newPassword })

/** Source: api.md "Accounts". */
export const postAuthPasswordReset: Operation = {
  summary: 'Gives the account a new password by the mailed token, and ends all its sessions.',
  body,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN'],
  handle: (services) => async (call) => {
    const input = parseInput(body, call.body)
    await services.signIn.resetPassword({ ...input, ip: call.ip, now: call.now })
    return { body: { success: true } }
  },
}
