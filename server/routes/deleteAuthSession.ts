import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const deleteAuthSession: Operation = {
  summary: 'Ends one of the caller’s sessions, with all its tokens.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const id = call.params.id ?? ''
    await services.signIn.endSession({ principal, id, now: call.now })
    return { body: { success: true, id } }
  },
}
