import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import { endpointSchemas } from './endpointSchemas.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'
import { searchSchema } from './searchSchema.ts'

const query = z.object({
  include: z
    .string()
    .regex(/^(discovered|archived)(,(discovered|archived))*$/, 'expected discovered, archived or both')
    .optional(),
  /** One kind alone, instead of the claimed ones. */
  only: z.enum(['claimable', 'archived']).optional(),
  search: searchSchema.optional(),
})

/** Source: `Spec: Endpoint dashboard actions`; api.md "Endpoints". */
export const getEndpoints: Operation = {
  summary:
    'Lists the claimed endpoints of the signed-in account and its organisations, newest first; with `search`, those whose name, address or identifier holds it. A page can then be short, or empty, and not be the last: `hasMore` says.',
  query: { ...query.shape, ...PAGE_QUERY },
  answer: pageAnswer(endpointSchemas.endpoint),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const { include, only, search } = parseInput(query, {
      include: call.query.get('include') ?? undefined,
      only: call.query.get('only') ?? undefined,
      search: call.query.get('search') ?? undefined,
    })
    const names = include?.split(',') ?? []
    const wanted = only
      ? { only }
      : { discovered: names.includes('discovered'), archived: names.includes('archived') }
    const principal = callerOf(call, 'session')
    return { body: writePage(await services.endpoints.list({ principal, wanted, search, page })) }
  },
}
