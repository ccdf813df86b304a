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
import { LOG_QUERY, type LogParts, readLogNumber } from './logNumber.ts'

export const getAuditBatches = operation({
  summary: 'Lists the sealed batches of an audit log, newest first.',
  query: { ...PAGE_QUERY, ...LOG_QUERY },
  answer: auditOperations['GET /api/audit/batches'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  isPublicDocument: true,
  handle: (parts: LogParts<ListBatchesDeps>) => async (call) => {
    const page = readPage(call.query)
    const log = await parts.audit.log(readLogNumber(call.query))
    return { body: writePage(await listBatches(log, page)) }
  },
})

export const getAuditBatch = operation({
  summary: 'Returns a batch with the proof that it extends the previous one.',
  answer: auditOperations['GET /api/audit/batches/:number'].answer,
  query: LOG_QUERY,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  isPublicDocument: true,
  handle: (parts: LogParts<ReadBatchDeps>) => async (call) => {
    const number = call.params.number ?? ''
    if (!/^\d{1,15}$/.test(number)) throw apiError('NOT_FOUND')
    const log = await parts.audit.log(readLogNumber(call.query))
    return { body: { success: true, batch: await readBatch(log, { number: Number(number) }) } }
  },
})
