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

/** Source: api.md "Accounts". */
export const postAuthTotp = operation({
  summary: 'Makes a secret for an authenticator app, and recovery codes; both are shown this once.',
  status: 201,
  answer: accountOperations['POST /api/auth/mfa/totp'].answer,
  errors: ['ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (parts: { accounts: EnrolTotpDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const enrolled = await enrolTotp(parts.accounts, { principal, now: call.now })
    return { status: 201, body: { success: true, ...enrolled } }
  },
})

/** Source: api.md "Accounts". */
export const postAuthTotpConfirm = operation({
  summary: 'Turns the authenticator app on with its first code.',
  body: accountOperations['POST /api/auth/mfa/totp/confirm'].body,
  answer: accountOperations['POST /api/auth/mfa/totp/confirm'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { accounts: ConfirmTotpDeps }) => async (call) => {
    const { code } = parseInput(postAuthTotpConfirmBody, call.body)
    await confirmTotp(parts.accounts, { principal: callerOf(call, 'session'), code, now: call.now })
    return { body: { success: true } }
  },
})

/** Source: api.md "Accounts". */
export const deleteAuthTotp = operation({
  summary: 'Turns the authenticator app off, with a code of it, a recovery code or a fresh passkey.',
  body: accountOperations['DELETE /api/auth/mfa/totp'].body,
  answer: accountOperations['DELETE /api/auth/mfa/totp'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'ELEVATION_REQUIRED'],
  handle: (parts: { accounts: RemoveTotpDeps }) => async (call) => {
    const { code } = parseInput(deleteAuthTotpBody, call.body)
    await removeTotp(parts.accounts, { principal: callerOf(call, 'session'), code, now: call.now })
    return { body: { success: true } }
  },
})
