import {
  accountOperations,
  postAuthRegisterBody,
  postAuthVerifyEmailBody,
} from '@svc/core/contract/accounts.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type RegisterAccountDeps, registerAccount } from '../../services/accounts/registerAccount.ts'
import {
  type ResendVerificationDeps,
  resendVerification,
  type VerifyEmailDeps,
  verifyEmail,
} from '../../services/signIn/verifyEmail.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { answerSession, SESSION_HEADER, type SessionCookieDeps } from '../border/sessionCookie.ts'
import { operation } from '../operation.ts'

export const postAuthRegister = operation({
  summary:
    'Creates an account with an e-mail address and a password, signs in, and mails a token to confirm the address.',
  body: accountOperations['POST /api/auth/register'].body,
  headers: SESSION_HEADER,
  status: 201,
  answer: accountOperations['POST /api/auth/register'].answer,
  errors: ['VALIDATION_ERROR', 'EMAIL_TAKEN'],
  handle: (parts: { accounts: RegisterAccountDeps & SessionCookieDeps }) => async (call) => {
    const input = parseInput(postAuthRegisterBody, call.body)
    const { ip, now } = call
    const data = await registerAccount(parts.accounts, { ...input, ip, client: clientOf(call), now })
    return { status: 201, ...answerSession(parts.accounts, call, data) }
  },
})

export const postAuthVerifyEmail = operation({
  summary: 'Confirms the e-mail address of the signed-in account with the token mailed to it.',
  body: accountOperations['POST /api/auth/verify-email'].body,
  answer: accountOperations['POST /api/auth/verify-email'].answer,
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN', 'INVALID_STATE'],
  handle: (parts: { accounts: VerifyEmailDeps }) => async (call) => {
    const { token } = parseInput(postAuthVerifyEmailBody, call.body)
    await verifyEmail(parts.accounts, { principal: callerOf(call, 'session'), token, now: call.now })
    return { body: { success: true } }
  },
})

export const postAuthVerifyEmailResend = operation({
  summary: 'Mails a new token to confirm the account’s address and invalidates the previous one.',
  status: 202,
  answer: accountOperations['POST /api/auth/verify-email/resend'].answer,
  errors: ['INVALID_STATE'],
  handle: (parts: { accounts: ResendVerificationDeps }) => async (call) => {
    await resendVerification(parts.accounts, { principal: callerOf(call, 'session'), now: call.now })
    return { status: 202, body: { success: true } }
  },
})
