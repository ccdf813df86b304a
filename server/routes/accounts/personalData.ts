import { accountOperations } from '@svc/core/contract/accounts.ts'
import { type KeepAccountDeps, keepAccount } from '../../services/erasure/keepAccount.ts'
import { type RequestErasureDeps, requestErasure } from '../../services/erasure/requestErasure.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

export const deleteMe = operation({
  summary:
    'Deletes the caller’s account after 30 days, in which `POST /api/me/keep` keeps it. Needs a fresh passkey assertion or, without a passkey, a sign-in within the last five minutes.',
  answer: accountOperations['DELETE /api/me'].answer,
  errors: ['ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (parts: { accounts: RequestErasureDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const eraseAt = await requestErasure(parts.accounts, { principal, now: call.now })
    return { body: { success: true, erasureAt: new Date(eraseAt).toISOString() } }
  },
})

export const postMeKeep = operation({
  summary: 'Keeps the caller’s account, which was to be deleted.',
  answer: accountOperations['POST /api/me/keep'].answer,
  errors: ['INVALID_STATE'],
  handle: (parts: { accounts: KeepAccountDeps }) => async (call) => {
    await keepAccount(parts.accounts, { principal: callerOf(call, 'session') })
    return { body: { success: true } }
  },
})
