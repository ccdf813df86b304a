import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import { kydSchemas } from './kydSchemas.ts'
import type { Operation } from './operation.ts'

const bodySchema = z.strictObject({ reason: kydSchemas.reason })

/** Source: api.md "Accounts". */
export const postAdminKydReject: Operation = {
  summary: 'Rejects a case with a fresh passkey and a reason that its owner reads; they may try again.',
  body: bodySchema,
  answer: z.object({ success: z.literal(true), case: kydSchemas.listed }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const { reason } = parseInput(bodySchema, call.body)
    const decision = { status: 'rejected', reason } as const
    const caseId = call.params.id ?? ''
    const decided = await services.kyd.decide({ principal, caseId, decision, now: call.now })
    return { body: { success: true, case: decided } }
  },
}
