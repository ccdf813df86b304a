import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import { kydSchemas } from './kydSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const postAdminKydApprove: Operation = {
  summary: 'Approves a case with a fresh passkey: the developer’s identity gets its verified mark.',
  answer: z.object({ success: z.literal(true), case: kydSchemas.listed }),
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const decision = { status: 'approved' } as const
    const caseId = call.params.id ?? ''
    const decided = await services.kyd.decide({ principal, caseId, decision, now: call.now })
    return { body: { success: true, case: decided } }
  },
}
