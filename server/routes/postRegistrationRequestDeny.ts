import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { registrationRequestSchemas } from './registrationRequestSchemas.ts'

const body = z.object({ reason: registrationRequestSchemas.reason.nullish() }).optional()

/** Source: api.md "Agents". */
export const postRegistrationRequestDeny: Operation = {
  summary: 'Denies a registration that waits; whoever asked for it is shown the reason.',
  body,
  answer: z.object({ success: z.literal(true), request: registrationRequestSchemas.request }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const reason = parseInput(body, call.body)?.reason ?? null
    const requestId = call.params.requestId ?? ''
    const request = await services.registrationRequests.deny({ principal, requestId, reason })
    return { body: { success: true, request } }
  },
}
