import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import type { Operation } from './operation.ts'

const body = z.object({ email: accountSchemas.email, password: z.string().min(1).max(200) })

/** Source: `Spec: POST /api/auth/login`; api.md "Accounts". */
export const postAuthLogin: Operation = {
  summary: 'Signs in by e-mail and password.',
  body,
  answer: accountSchemas.session,
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED'],
  handle: (services) => async (call) => {
    const input = parseInput(body, call.body)
    const data = await services.accounts.logIn({ ...input, ip: call.ip, now: call.now })
    return { body: { success: true, data } }
  },
}
