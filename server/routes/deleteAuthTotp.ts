import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({ code: accountSchemas.code.optional() }).default({})

/** Source: api.md "Accounts". */
export const deleteAuthTotp: Operation = {
  summary: 'Turns the authenticator app off, with a code of it, a recovery code or a fresh passkey.',
  body,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'ELEVATION_REQUIRED'],
  handle: (services) => async (call) => {
    const { code } = parseInput(body, call.body)
    await services.signIn.removeTotp({ principal: callerOf(call, 'session'), code, now: call.now })
    return { body: { success: true } }
  },
}
