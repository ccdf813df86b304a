import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import type { Operation } from './operation.ts'

const body = z.object({ email: accountSchemas.email })

/** Source: api.md "Accounts". */
export const postAuthPasswordForgot: Operation = {
  summary:
    'Mails a token to choose a new password with; the answer is the same whether there is such an account.',
  body,
  status: 202,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const { email } = parseInput(body, call.body)
    await services.signIn.forgotPassword({ email, now: call.now })
    return { status: 202, body: { success: true } }
  },
}
