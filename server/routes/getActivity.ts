import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { actsForOf } from '../services/actsForOf.ts'
import { eventSchema } from './eventSchema.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'

const time = z.iso
  .datetime({ offset: true, message: 'expected a time such as 2026-01-31T12:00:00Z' })
  .transform((text) => Date.parse(text))
const identifier = z.string().min(1).max(64)

const querySchema = z.object({
  agent: identifier.optional(),
  endpoint: identifier.optional(),
  eventType: z.string().min(1).max(100).optional(),
  since: time.optional(),
  until: time.optional(),
})

/** Source: `Spec: Activity event`; api.md "Approvals, activity, audit". */
export const getActivity: Operation = {
  summary: 'Lists the events of which the caller’s account is a party, newest first.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: pageAnswer(eventSchema),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const filter = parseInput(querySchema, Object.fromEntries(call.query))
    const { agent, endpoint, ...rest } = filter
    const listed = await services.listActivity({
      ...rest,
      agentId: agent,
      endpointId: endpoint === undefined ? undefined : await services.endpointInternalId(endpoint),
      actsFor: actsForOf(call.principal),
      limit: page.limit,
      beforeSeq: page.before ?? undefined,
    })
    return { body: writePage(listed) }
  },
}
