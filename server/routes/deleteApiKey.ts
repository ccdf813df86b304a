import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const deleteApiKey: Operation = {
  summary: 'Revokes an API key at once and for good.',
  answer: z.object({ success: z.literal(true), id: z.string(), revokedAt: z.string() }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const revoked = await services.accounts.revokeApiKey({
      principal,
      id: call.params.id ?? '',
      now: call.now,
    })
    return { body: { success: true, ...revoked } }
  },
}
