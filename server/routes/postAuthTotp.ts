import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

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
