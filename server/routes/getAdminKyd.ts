import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import { kydSchemas } from './kydSchemas.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'

const querySchema = z.object({ status: kydSchemas.status.default('pending') })

/** Source: api.md "Accounts". */
export const getAdminKyd: Operation = {
  summary: 'Lists the cases of identities to verify: those that wait, the oldest first, or those decided.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: pageAnswer(kydSchemas.listed),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const page = readPage(call.query)
    const { status } = parseInput(querySchema, Object.fromEntries(call.query))
    return { body: writePage(await services.kyd.listCases({ principal, status, page })) }
  },
}
