import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPart, writePage } from './pagination.ts'

/** Source: api.md "Accounts". */
export const getOrganizations: Operation = {
  summary: 'Lists the organisations the caller is in or invited to, newest first.',
  query: PAGE_QUERY,
  answer: pageAnswer(accountSchemas.organization),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const asked = readPart(call.query)
    const principal = callerOf(call, 'session')
    const input = { principal, ...asked, now: call.now }
    return { body: writePage(await services.accounts.listOrganizations(input)) }
  },
}
