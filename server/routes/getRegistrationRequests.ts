import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'
import { registrationRequestSchemas } from './registrationRequestSchemas.ts'

const querySchema = z.object({ status: registrationRequestSchemas.status.optional() })

/** Source: api.md "Agents". */
export const getRegistrationRequests: Operation = {
  summary: 'Lists the registrations that were asked of the caller’s account, newest first.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: pageAnswer(registrationRequestSchemas.request),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const { status } = parseInput(querySchema, Object.fromEntries(call.query))
    const principal = callerOf(call, 'session')
    const { now } = call
    return { body: writePage(await services.registrationRequests.list({ principal, status, page, now })) }
  },
}
