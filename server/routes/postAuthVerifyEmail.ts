import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({ token: accountSchemas.mailedToken })

/** Source: api.md "Accounts". */
export const postAuthVerifyEmail: Operation = {
  summary: 'Confirms the e-mail address of the signed-in account by the token that was mailed to it.',
  body,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const { token } = parseInput(body, call.body)
    await services.signIn.verifyEmail({ principal: callerOf(call, 'session'), token, now: call.now })
    return { body: { success: true } }
  },
}
