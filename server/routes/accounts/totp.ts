import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ConfirmTotpDeps, confirmTotp } from '../../services/signIn/confirmTotp.ts'
import { type EnrolTotpDeps, enrolTotp } from '../../services/signIn/enrolTotp.ts'
import { type RemoveTotpDeps, removeTotp } from '../../services/signIn/removeTotp.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'
import { accountSchemas } from './accountSchemas.ts'

/** Source: api.md "Accounts". */
export const postAuthTotp = operation({
  summary: 'Makes a secret for an authenticator app, and recovery codes; both are shown this once.',
  status: 201,
  answer: z.object({
    success: z.literal(true),
    secret: z.string(),
    otpauthUrl: z.string(),
    recoveryCodes: z.array(z.string()),
  }),
  errors: ['ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (parts: { accounts: EnrolTotpDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const enrolled = await enrolTotp(parts.accounts, { principal, now: call.now })
    return { status: 201, body: { success: true, ...enrolled } }
  },
})

const postAuthTotpConfirmBody = z.object({ code: accountSchemas.code })

/** Source: api.md "Accounts". */
export const postAuthTotpConfirm = operation({
  summary: 'Turns the authenticator app on with its first code.',
  body: postAuthTotpConfirmBody,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { accounts: ConfirmTotpDeps }) => async (call) => {
    const { code } = parseInput(postAuthTotpConfirmBody, call.body)
    await confirmTotp(parts.accounts, { principal: callerOf(call, 'session'), code, now: call.now })
    return { body: { success: true } }
  },
})

const deleteAuthTotpBody = z.object({ code: accountSchemas.code.optional() }).default({})

/** Source: api.md "Accounts". */
export const deleteAuthTotp = operation({
  summary: 'Turns the authenticator app off, with a code of it, a recovery code or a fresh passkey.',
  body: deleteAuthTotpBody,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'ELEVATION_REQUIRED'],
  handle: (parts: { accounts: RemoveTotpDeps }) => async (call) => {
    const { code } = parseInput(deleteAuthTotpBody, call.body)
    await removeTotp(parts.accounts, { principal: callerOf(call, 'session'), code, now: call.now })
    return { body: { success: true } }
  },
})
