import { z } from 'zod'
import type { Operation } from './operation.ts'
import { passkeySchemas } from './passkeySchemas.ts'

/** Source: api.md "Accounts". */
export const postPasskeyAuthenticationOptions: Operation = {
  summary: 'Gives the options to sign in with a passkey, or, in a session, to use one again.',
  answer: z.object({ success: z.literal(true), options: passkeySchemas.options }),
  errors: ['INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = call.principal.kind === 'session' ? call.principal : null
    const options = await services.passkeys.startAuthentication({ principal, now: call.now })
    return { body: { success: true, options } }
  },
}
