import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { passkeySchemas } from './passkeySchemas.ts'

const body = z.object({ response: passkeySchemas.registration, name: accountSchemas.name.default('Passkey') })

/** Source: api.md "Accounts". */
export const postPasskeyRegistrationVerify: Operation = {
  summary: 'Stores the passkey that was made with the options.',
  body,
  status: 201,
  answer: z.object({ success: z.literal(true), passkey: passkeySchemas.passkey }),
  errors: ['VALIDATION_ERROR', 'PASSKEY_REJECTED', 'ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const input = parseInput(body, call.body)
    const principal = callerOf(call, 'session')
    const passkey = await services.passkeys.finishRegistration({ ...input, principal, now: call.now })
    return { status: 201, body: { success: true, passkey } }
  },
}
