import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const postAuthVerifyEmailResend: Operation = {
  summary: 'Mails another token for the account’s address; the one before it is good for nothing then.',
  status: 202,
  answer: z.object({ success: z.literal(true) }),
  errors: ['INVALID_STATE'],
  handle: (services) => async (call) => {
    await services.signIn.resendVerification({ principal: callerOf(call, 'session'), now: call.now })
    return { status: 202, body: { success: true } }
  },
}
