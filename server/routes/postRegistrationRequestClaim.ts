import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { registrationRequestSchemas } from './registrationRequestSchemas.ts'

const body = z.object({ token: accountSchemas.mailedToken })

/** Source: `Spec: POST /api/agents/request-registration` (onboarding link). */
export const postRegistrationRequestClaim: Operation = {
  summary: 'Proves by the mailed token that the caller is whom a registration was asked of.',
  body,
  answer: z.object({ success: z.literal(true), request: registrationRequestSchemas.request }),
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const { token } = parseInput(body, call.body)
    const requestId = call.params.requestId ?? ''
    const request = await services.registrationRequests.claim({ principal, requestId, token, now: call.now })
    return { body: { success: true, request } }
  },
}
