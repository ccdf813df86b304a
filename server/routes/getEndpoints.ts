import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import { endpointSchemas } from './endpointSchemas.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'

const query = {
  include: z
    .string()
    .regex(/^(discovered|archived)(,(discovered|archived))*$/, 'expected discovered, archived or both')
    .optional(),
}

/** Source: `Spec: Endpoint dashboard actions`; api.md "Endpoints". */
export const getEndpoints: Operation = {
  summary: 'Lists the claimed endpoints of the signed-in account and its organisations, newest first.',
  query: { ...query, ...PAGE_QUERY },
  answer: pageAnswer(endpointSchemas.endpoint),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const asked = parseInput(z.object(query), { include: call.query.get('include') ?? undefined })
    const names = asked.include?.split(',') ?? []
    const include = { discovered: names.includes('discovered'), archived: names.includes('archived') }
    const principal = callerOf(call, 'session')
    return { body: writePage(await services.endpoints.list({ principal, include, page })) }
  },
}
