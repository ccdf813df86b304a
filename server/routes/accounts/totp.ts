import {
  accountOperations,
  deleteAuthTotpBody,
  postAuthTotpConfirmBody,
} from '@svc/core/contract/accounts.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ConfirmTotpDeps, confirmTotp } from '../../services/signIn/confirmTotp.ts'
import { type EnrolTotpDeps, enrolTotp } from '../../services/signIn/enrolTotp.ts'
import { type RemoveTotpDeps, removeTotp } from '../../services/signIn/removeTotp.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

export const postAuthTotp = operation({
  summary: 'Creates a secret for an authenticator app, and recovery codes; neither is shown again.',
  status: 201,
  answer: accountOperations['POST /api/auth/mfa/totp'].answer,
  errors: ['ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (parts: { accounts: EnrolTotpDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const enrolled = await enrolTotp(parts.accounts, { principal, now: call.now })
    return { status: 201, body: { success: true, ...enrolled } }
  },
})

export const postAuthTotpConfirm = operation({
  summary: 'Enables the authenticator app, given its first code.',
  body: accountOperations['POST /api/auth/mfa/totp/confirm'].body,
  answer: accountOperations['POST /api/auth/mfa/totp/confirm'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { accounts: ConfirmTotpDeps }) => async (call) => {
    const { code } = parseInput(postAuthTotpConfirmBody, call.body)
    await confirmTotp(parts.accounts, { principal: callerOf(call, 'session'), code, now: call.now })
    return { body: { success: true } }
  },
})

export const deleteAuthTotp = operation({
  summary:
    'Disables the authenticator app, given one of its codes, a recovery code or a recent passkey assertion.',
  body: accountOperations['DELETE /api/auth/mfa/totp'].body,
  answer: accountOperations['DELETE /api/auth/mfa/totp'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'ELEVATION_REQUIRED'],
  handle: (parts: { accounts: RemoveTotpDeps }) => async (call) => {
    const { code } = parseInput(deleteAuthTotpBody, call.body)
    await removeTotp(parts.accounts, { principal: callerOf(call, 'session'), code, now: call.now })
    return { body: { success: true } }
  },
})
