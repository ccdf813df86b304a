import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { clientOf } from './clientOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({ email: accountSchemas.email, password: z.string().min(1).max(200) })

/** Source: `Spec: POST /api/auth/login`; api.md "Accounts". */
export const postAuthLogin: Operation = {
  summary: 'Signs in by e-mail and password, or answers an interim token where a code is asked for.',
  body,
  answer: z.union([
    accountSchemas.session,
    z.object({
      success: z.literal(true),
      mfaRequired: z.literal(true),
      interimToken: z.string(),
      methods: z.array(z.enum(['totp', 'recovery_code'])),
      expiresIn: z.number(),
    }),
  ]),
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED'],
  handle: (services) => async (call) => {
    const input = parseInput(body, call.body)
    const { ip, now } = call
    const data = await services.accounts.logIn({ ...input, ip, client: clientOf(call), now })
    return { body: 'mfaRequired' in data ? { success: true, ...data } : { success: true, data } }
  },
}
