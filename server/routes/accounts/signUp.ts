import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import type { Operation } from '../operation.ts'
import { accountSchemas } from './accountSchemas.ts'

const postAuthRegisterBody = z.object({
  email: accountSchemas.email,
  password: accountSchemas.newPassword,
  fullName: accountSchemas.name,
  accountType: z.enum(['individual', 'business']),
})

/** Source: api.md "Accounts". */
export const postAuthRegister: Operation = {
  summary: 'Creates an account with e-mail and password, signs it in and mails a token for the address.',
  body: postAuthRegisterBody,
  status: 201,
  answer: accountSchemas.session,
  errors: ['VALIDATION_ERROR', 'EMAIL_TAKEN'],
  handle: (services) => async (call) => {
    const input = parseInput(postAuthRegisterBody, call.body)
    const { ip, now } = call
    const data = await services.accounts.register({ ...input, ip, client: clientOf(call), now })
    return { status: 201, body: { success: true, data } }
  },
}

const postAuthVerifyEmailBody = z.object({ token: accountSchemas.mailedToken })

/** Source: api.md "Accounts". */
export const postAuthVerifyEmail: Operation = {
  summary: 'Confirms an e-mail address by the token that was mailed to it.',
  body: postAuthVerifyEmailBody,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN'],
  handle: (services) => async (call) => {
    const { token } = parseInput(postAuthVerifyEmailBody, call.body)
    await services.signIn.verifyEmail({ token, now: call.now })
    return { body: { success: true } }
  },
}

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
