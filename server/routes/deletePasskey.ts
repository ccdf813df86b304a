import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const deletePasskey: Operation = {
  summary: 'Deletes a passkey, with a fresh one or right after a sign-in by more than a password.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['NOT_FOUND', 'ELEVATION_REQUIRED'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const id = call.params.id ?? ''
    await services.passkeys.delete({ principal, id, now: call.now })
    return { body: { success: true, id } }
  },
}
