import { actsForOf } from '../services/actsForOf.ts'
import { activityQuery } from './activityQuery.ts'
import { eventSchema } from './eventSchema.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'

/** Source: `Spec: Activity event`; api.md "Approvals, activity, audit". */
export const getActivity: Operation = {
  summary:
    'Lists the events of which the caller’s account is a party, newest first. With a filter a page can be short, or empty, and not be the last: `hasMore` says.',
  query: { ...activityQuery.shape, ...PAGE_QUERY },
  answer: pageAnswer(eventSchema),
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const filter = await activityQuery.read(services, call.query)
    const listed = await services.activity.list({
      ...filter,
      actsFor: actsForOf(call.principal),
      limit: page.limit,
      beforeSeq: page.before ?? undefined,
    })
    return { body: writePage(listed) }
  },
}
