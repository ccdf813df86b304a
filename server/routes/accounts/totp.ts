import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { callerOf } from '../border/callerOf.ts'
import type { Operation } from '../operation.ts'
import { accountSchemas } from './accountSchemas.ts'

/** Source: api.md "Accounts". */
export const postAuthTotp: Operation = {
  summary: 'Makes a secret for an authenticator app, and recovery codes; both are shown this once.',
  status: 201,
  answer: z.object({
    success: z.literal(true),
    secret: z.string(),
    otpauthUrl: z.string(),
    recoveryCodes: z.array(z.string()),
  }),
  errors: ['ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const enrolled = await services.signIn.enrolTotp({ principal, now: call.now })
    return { status: 201, body: { success: true, ...enrolled } }
  },
}

const postAuthTotpConfirmBody = z.object({ code: accountSchemas.code })

/** Source: api.md "Accounts". */
export const postAuthTotpConfirm: Operation = {
  summary: 'Turns the authenticator app on with its first code.',
  body: postAuthTotpConfirmBody,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const { code } = parseInput(postAuthTotpConfirmBody, call.body)
    await services.signIn.confirmTotp({ principal: callerOf(call, 'session'), code, now: call.now })
    return { body: { success: true } }
  },
}

const deleteAuthTotpBody = z.object({ code: accountSchemas.code.optional() }).default({})

/** Source: api.md "Accounts". */
export const deleteAuthTotp: Operation = {
  summary: 'Turns the authenticator app off, with a code of it, a recovery code or a fresh passkey.',
  body: deleteAuthTotpBody,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'ELEVATION_REQUIRED'],
  handle: (services) => async (call) => {
    const { code } = parseInput(deleteAuthTotpBody, call.body)
    await services.signIn.removeTotp({ principal: callerOf(call, 'session'), code, now: call.now })
    return { body: { success: true } }
  },
}
