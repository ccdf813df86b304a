import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { passkeySchemas } from './passkeySchemas.ts'

/** Source: api.md "Accounts". */
export const postPasskeyRegistrationOptions: Operation = {
  summary: 'Gives the options to make a passkey with; a further one needs a fresh passkey.',
  answer: z.object({ success: z.literal(true), options: passkeySchemas.options }),
  errors: ['ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const options = await services.passkeys.startRegistration({ principal, now: call.now })
    return { body: { success: true, options } }
  },
}
