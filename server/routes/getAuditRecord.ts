import { z } from 'zod'
import { actsForOf } from '../services/actsForOf.ts'
import { eventSchema } from './eventSchema.ts'
import type { Operation } from './operation.ts'
import { proofAnswer } from './proofAnswer.ts'

const recordAnswer = z.object({
  success: z.literal(true),
  record: z.object({ seq: z.int(), recordId: z.string(), entry: z.base64(), event: eventSchema }),
})

/** Source: api.md "Approvals, activity, audit". */
export const getAuditRecord: Operation = {
  summary: 'Shows an audit record to its parties, and its proof to anyone else.',
  answer: z.union([recordAnswer, proofAnswer]),
  errors: ['NOT_FOUND', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const found = await services.audit.readRecord({
      recordId: call.params.id ?? '',
      actsFor: actsForOf(call.principal),
    })
    return { body: 'record' in found ? { success: true, ...found } : { success: true, ...found.proof } }
  },
}
