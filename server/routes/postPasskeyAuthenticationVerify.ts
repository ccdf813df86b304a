import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { clientOf } from './clientOf.ts'
import type { Operation } from './operation.ts'
import { passkeySchemas } from './passkeySchemas.ts'

const body = z.object({ response: passkeySchemas.assertion })

/** Source: api.md "Accounts". */
export const postPasskeyAuthenticationVerify: Operation = {
  summary: 'Signs in with a passkey, or, in a session, gives an elevation token for `X-Svc-Elevation`.',
  body,
  answer: z.union([
    accountSchemas.session,
    z.object({ success: z.literal(true), elevationToken: z.string(), expiresIn: z.number() }),
  ]),
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'PASSKEY_REJECTED'],
  handle: (services) => async (call) => {
    const { response } = parseInput(body, call.body)
    const { principal, now } = call
    if (principal.kind === 'session') {
      const elevation = await services.passkeys.elevate({ principal, response, now })
      return { body: { success: true, ...elevation } }
    }
    const data = await services.passkeys.signIn({ response, client: clientOf(call), now })
    return { body: { success: true, data } }
  },
}
