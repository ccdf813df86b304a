import { z } from 'zod'
import { apiError } from '../../errors.ts'
import { type ListBatchesDeps, listBatches } from '../../services/audit/listBatches.ts'
import { type ReadBatchDeps, readBatch } from '../../services/audit/readBatch.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

/** Schema of a batch in answers. Source: api.md "Approvals, activity, audit". */
const batchSchema = z.object({
  number: z.int(),
  prevSize: z.int(),
  newSize: z.int(),
  root: z.string(),
  status: z.enum(['sealed', 'anchored', 'confirmed']),
  transactionHash: z.string().nullable(),
  blockNumber: z.int().nullable(),
  sealedAt: z.string(),
  confirmedAt: z.string().nullable(),
})

/** Source: api.md "Approvals, activity, audit". */
export const getAuditBatches = operation({
  summary: 'Lists the sealed batches of the audit log, newest first.',
  query: PAGE_QUERY,
  answer: pageAnswer(batchSchema),
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { audit: ListBatchesDeps }) => async (call) => ({
    body: writePage(await listBatches(parts.audit, readPage(call.query))),
  }),
})

/** Source: api.md "Approvals, activity, audit". */
export const getAuditBatch = operation({
  summary: 'Shows one batch with the proof that it extends the one before it.',
  answer: z.object({
    success: z.literal(true),
    batch: batchSchema.extend({ consistencyProof: z.array(z.string()) }),
  }),
  errors: ['NOT_FOUND'],
  handle: (parts: { audit: ReadBatchDeps }) => async (call) => {
    const number = call.params.number ?? ''
    if (!/^\d{1,15}$/.test(number)) throw apiError('NOT_FOUND')
    return { body: { success: true, batch: await readBatch(parts.audit, { number: Number(number) }) } }
  },
})
