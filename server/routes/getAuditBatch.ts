import { z } from 'zod'
import { apiError } from '../errors.ts'
import { batchSchema } from './batchSchema.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Approvals, activity, audit". */
export const getAuditBatch: Operation = {
  summary: 'Shows one batch with the proof that it extends the one before it.',
  answer: z.object({
    success: z.literal(true),
    batch: batchSchema.extend({ consistencyProof: z.array(z.string()) }),
  }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const number = call.params.number ?? ''
    if (!/^\d{1,15}$/.test(number)) throw apiError('NOT_FOUND')
    return { body: { success: true, batch: await services.audit.readBatch({ number: Number(number) }) } }
  },
}
