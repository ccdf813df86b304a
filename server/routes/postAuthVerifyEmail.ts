import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import type { Operation } from './operation.ts'

const body = z.object({ token: accountSchemas.mailedToken })

/** Source: api.md "Accounts". */
export const postAuthVerifyEmail: Operation = {
  summary: 'Confirms an e-mail address by the token that was mailed to it.',
  body,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN'],
  handle: (services) => async (call) => {
    const { token } = parseInput(body, call.body)
    await services.signIn.verifyEmail({ token, now: call.now })
    return { body: { success: true } }
  },
}
