import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { pageAnswer, writePage } from './pagination.ts'

const identity = z.object({
  id: z.string(),
  provider: z.string(),
  issuer: z.string(),
  email: z.string().nullable(),
  linkedAt: z.string(),
})

/** Source: api.md "Accounts". */
export const getAuthOauthIdentities: Operation = {
  summary: 'Lists the identities at other providers that sign in to the account.',
  answer: pageAnswer(identity),
  errors: [],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: writePage(await services.oauth.list({ principal })) }
  },
}
