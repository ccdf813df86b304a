import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const postAuthLogoutAll: Operation = {
  summary: 'Signs the caller out everywhere, here too.',
  answer: z.object({ success: z.literal(true), endedSessions: z.number() }),
  errors: [],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const endedSessions = await services.signIn.endAllSessions({ principal, now: call.now })
    return { body: { success: true, endedSessions } }
  },
}
