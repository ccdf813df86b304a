import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import { kydSchemas } from './kydSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const getAdminKydCase: Operation = {
  summary: 'Shows a case with what its passport’s machine readable zone says, while the documents are kept.',
  answer: z.object({ success: z.literal(true), case: kydSchemas.case }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const found = await services.kyd.readCase({ principal, caseId: call.params.id ?? '' })
    return { body: { success: true, case: found } }
  },
}
