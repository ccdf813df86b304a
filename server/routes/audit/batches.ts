import { auditOperations } from '@svc/core/contract/audit.ts'
import { apiError } from '../../errors.ts'
import {
  type ListBatchesDeps,
  listBatches,
  type ReadBatchDeps,
  readBatch,
} from '../../services/audit/readBatch.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

export const getAuditBatches = operation({
  summary: 'Lists the sealed batches of the audit log, newest first.',
  query: PAGE_QUERY,
  answer: auditOperations['GET /api/audit/batches'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { audit: ListBatchesDeps }) => async (call) => ({
    body: writePage(await listBatches(parts.audit, readPage(call.query))),
  }),
})

export const getAuditBatch = operation({
  summary: 'Returns a batch with the proof that it extends the previous one.',
  answer: auditOperations['GET /api/audit/batches/:number'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { audit: ReadBatchDeps }) => async (call) => {
    const number = call.params.number ?? ''
    if (!/^\d{1,15}$/.test(number)) throw apiError('NOT_FOUND')
    return { body: { success: true, batch: await readBatch(parts.audit, { number: Number(number) }) } }
  },
})
