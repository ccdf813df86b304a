import { allowlistEntryAnswer } from './allowlistEntryAnswer.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'

/** Source: api.md "Endpoints". */
export const getEndpointAllowlist: Operation = {
  summary: 'Lists the allowlist of an own endpoint, newest entry first.',
  query: PAGE_QUERY,
  answer: pageAnswer(allowlistEntryAnswer),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const { principal, params } = call
    return {
      body: writePage(await services.endpoints.listAllowlist({ id: params.id ?? '', principal, page })),
    }
  },
}
