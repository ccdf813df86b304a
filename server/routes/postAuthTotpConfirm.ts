import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({ code: accountSchemas.code })

/** Source: api.md "Accounts". */
export const postAuthTotpConfirm: Operation = {
  summary: 'Turns the authenticator app on with its first code.',
  body,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const { code } = parseInput(body, call.body)
    await services.signIn.confirmTotp({ principal: callerOf(call, 'session'), code, now: call.now })
    return { body: { success: true } }
  },
}
