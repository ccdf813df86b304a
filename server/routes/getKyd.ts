import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import { kydSchemas } from './kydSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts". */
export const getKyd: Operation = {
  summary: 'Shows where the verification of the caller’s identity stands.',
  answer: z.object({ success: z.literal(true), kyd: kydSchemas.state }),
  errors: [],
  handle: (services) => async (call) => {
    const { userId } = callerOf(call, 'session')
    return { body: { success: true, kyd: await services.kyd.read({ userId }) } }
  },
}
