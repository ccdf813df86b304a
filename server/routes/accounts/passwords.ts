import {
  accountOperations,
  postAuthPasswordChangeBody,
  postAuthPasswordForgotBody,
  postAuthPasswordResetBody,
} from '@svc/core/contract/accounts.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ChangePasswordDeps, changePassword } from '../../services/signIn/changePassword.ts'
import {
  type ForgotPasswordDeps,
  type ResetPasswordDeps,
  resetPassword,
  startPasswordReset,
} from '../../services/signIn/resetPassword.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

export const postAuthPasswordForgot = operation({
  summary: 'Mails a password reset token; the response does not reveal whether the account exists.',
  body: accountOperations['POST /api/auth/password/forgot'].body,
  status: 202,
  answer: accountOperations['POST /api/auth/password/forgot'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { accounts: ForgotPasswordDeps }) => async (call) => {
    const { email } = parseInput(postAuthPasswordForgotBody, call.body)
    await startPasswordReset(parts.accounts, { email, now: call.now })
    return { status: 202, body: { success: true } }
  },
})

export const postAuthPasswordReset = operation({
  summary: 'Sets a new password with the mailed token and ends all sessions of the account.',
  body: accountOperations['POST /api/auth/password/reset'].body,
  answer: accountOperations['POST /api/auth/password/reset'].answer,
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN'],
  handle: (parts: { accounts: ResetPasswordDeps }) => async (call) => {
    const input = parseInput(postAuthPasswordResetBody, call.body)
    await resetPassword(parts.accounts, { ...input, ip: call.ip, now: call.now })
    return { body: { success: true } }
  },
})

export const postAuthPasswordChange = operation({
  summary:
    'Changes the password, given the current one or a recent passkey assertion, and ends the other sessions.',
  body: accountOperations['POST /api/auth/password/change'].body,
  answer: accountOperations['POST /api/auth/password/change'].answer,
  errors: ['VALIDATION_ERROR', 'ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (parts: { accounts: ChangePasswordDeps }) => async (call) => {
    const { currentPassword, newPassword } = parseInput(postAuthPasswordChangeBody, call.body)
    const principal = callerOf(call, 'session')
    const { ip, now } = call
    await changePassword(parts.accounts, { principal, currentPassword, newPassword, ip, now })
    return { body: { success: true } }
  },
})
