import {
  accountOperations,
  postAuthRegisterBody,
  postAuthVerifyEmailBody,
} from '@svc/core/contract/accounts.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type RegisterAccountDeps, registerAccount } from '../../services/accounts/registerAccount.ts'
import { type ResendVerificationDeps, resendVerification } from '../../services/signIn/resendVerification.ts'
import { type VerifyEmailDeps, verifyEmail } from '../../services/signIn/verifyEmail.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { operation } from '../operation.ts'

/** Source: api.md "Accounts". */
export const postAuthRegister = operation({
  summary: 'Creates an account with e-mail and password, signs it in and mails a token for the address.',
  body: accountOperations['POST /api/auth/register'].body,
  status: 201,
  answer: accountOperations['POST /api/auth/register'].answer,
  errors: ['VALIDATION_ERROR', 'EMAIL_TAKEN'],
  handle: (parts: { accounts: RegisterAccountDeps }) => async (call) => {
    const input = parseInput(postAuthRegisterBody, call.body)
    const { ip, now } = call
    const data = await registerAccount(parts.accounts, { ...input, ip, client: clientOf(call), now })
    return { status: 201, body: { success: true, data } }
  },
})

/** Source: api.md "Accounts". */
export const postAuthVerifyEmail = operation({
  summary: 'Confirms an e-mail address by the token that was mailed to it.',
  body: accountOperations['POST /api/auth/verify-email'].body,
  answer: accountOperations['POST /api/auth/verify-email'].answer,
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN'],
  handle: (parts: { accounts: VerifyEmailDeps }) => async (call) => {
    const { token } = parseInput(postAuthVerifyEmailBody, call.body)
    await verifyEmail(parts.accounts, { token, now: call.now })
    return { body: { success: true } }
  },
})

/** Source: api.md "Accounts". */
export const postAuthVerifyEmailResend = operation({
  summary: 'Mails another token for the account’s address; the one before it is good for nothing then.',
  status: 202,
  answer: accountOperations['POST /api/auth/verify-email/resend'].answer,
  errors: ['INVALID_STATE'],
  handle: (parts: { accounts: ResendVerificationDeps }) => async (call) => {
    await resendVerification(parts.accounts, { principal: callerOf(call, 'session'), now: call.now })
    return { status: 202, body: { success: true } }
  },
})
