import { z } from 'zod'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const getMe: Operation = {
  summary: 'Shows the signed-in account, its developer identifier and its organisations.',
  answer: z.object({
    success: z.literal(true),
    user: accountSchemas.user,
    organizations: z.array(accountSchemas.organization),
  }),
  errors: [],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: { success: true, ...(await services.accounts.readAccount({ principal })) } }
  },
}
