import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPart, writePage } from './pagination.ts'

/** Source: api.md "Accounts". */
export const getOrganizationMembers: Operation = {
  summary:
    'Lists the members of an organisation the caller is in, and, for who manages it, invited addresses.',
  query: PAGE_QUERY,
  answer: pageAnswer(accountSchemas.member),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const asked = readPart(call.query)
    const part = await services.accounts.listMembers({
      principal: callerOf(call, 'session'),
      organizationId: call.params.id ?? '',
      ...asked,
      now: call.now,
    })
    return { body: writePage(part) }
  },
}
