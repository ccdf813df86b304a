import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { clientOf } from './clientOf.ts'
import type { Operation } from './operation.ts'

const body = z.object({
  email: accountSchemas.email,
  password: accountSchemas.newPassword,
  fullName: accountSchemas.name,
  accountType: z.enum(['individual', 'business']),
})

/** Source: api.md "Accounts". */
export const postAuthRegister: Operation = {
  summary: 'Creates an account with e-mail and password, signs it in and mails a token for the address.',
  body,
  status: 201,
  answer: accountSchemas.session,
  errors: ['VALIDATION_ERROR', 'EMAIL_TAKEN'],
  handle: (services) => async (call) => {
    const input = parseInput(body, call.body)
    const { ip, now } = call
    const data = await services.accounts.register({ ...input, ip, client: clientOf(call), now })
    return { status: 201, body: { success: true, data } }
  },
}
