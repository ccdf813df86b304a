import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPart, writePage } from './pagination.ts'

/** Source: api.md "Identifiers", "Accounts". */
export const getApiKeys: Operation = {
  summary:
    'Lists the API keys of the caller and of the organisations it manages, by their last four characters.',
  query: PAGE_QUERY,
  answer: pageAnswer(accountSchemas.apiKey),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const asked = readPart(call.query)
    const principal = callerOf(call, 'session')
    return { body: writePage(await services.accounts.listApiKeys({ principal, ...asked })) }
  },
}
