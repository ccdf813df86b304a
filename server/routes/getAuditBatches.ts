import { batchSchema } from './batchSchema.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'

/** Source: api.md "Approvals, activity, audit". */
export const getAuditBatches: Operation = {
  summary: 'Lists the sealed batches of the audit log, newest first.',
  query: PAGE_QUERY,
  answer: pageAnswer(batchSchema),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => ({
    body: writePage(await services.audit.listBatches(readPage(call.query))),
  }),
}
