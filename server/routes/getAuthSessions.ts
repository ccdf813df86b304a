import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPart, writePage } from './pagination.ts'

/** Source: api.md "Accounts". */
export const getAuthSessions: Operation = {
  summary: 'Lists the caller’s open sessions, the last used first.',
  query: PAGE_QUERY,
  answer: pageAnswer(accountSchemas.openSession),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const asked = readPart(call.query)
    const principal = callerOf(call, 'session')
    const input = { principal, ...asked, now: call.now }
    return { body: writePage(await services.signIn.listSessions(input)) }
  },
}
