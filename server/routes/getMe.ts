import { z } from 'zod'
import type { SessionPrincipal } from '../services/principal.ts'
import { accountSchemas } from './accountSchemas.ts'
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
    const principal = call.principal as SessionPrincipal
    return { body: { success: true, ...(await services.accounts.readAccount({ principal })) } }
  },
}
