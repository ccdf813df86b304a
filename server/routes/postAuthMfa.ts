import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { clientOf } from './clientOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({ interimToken: z.string().min(1).max(200), code: accountSchemas.code })

/** Source: api.md "Accounts". */
export const postAuthMfa: Operation = {
  summary: 'Completes a sign-in with a code of the authenticator app or a recovery code.',
  body,
  answer: accountSchemas.session,
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED'],
  handle: (services) => async (call) => {
    const input = parseInput(body, call.body)
    const { ip, now } = call
    const data = await services.signIn.finish({ ...input, ip, client: clientOf(call), now })
    return { body: { success: true, data } }
  },
}
