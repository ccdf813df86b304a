import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const deleteAuthOauthIdentity: Operation = {
  summary: 'Takes an identity from the account, unless nothing else signs in to it, and ends what it opened.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['NOT_FOUND', 'INVALID_STATE', 'ELEVATION_REQUIRED'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const id = call.params.id ?? ''
    await services.oauth.unlink({ principal, id, now: call.now })
    return { body: { success: true, id } }
  },
}
