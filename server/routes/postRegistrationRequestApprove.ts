import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { passkeySchemas } from './passkeySchemas.ts'
import { registrationRequestSchemas } from './registrationRequestSchemas.ts'

const body = z.object({ response: passkeySchemas.assertion })

/** Source: `Spec: States and transitions`; `Spec: Authentication` 7, 8; api.md "Agents". */
export const postRegistrationRequestApprove: Operation = {
  summary:
    'Registers the agent that was asked for, by a passkey assertion over the options the request came with.',
  body,
  answer: z.object({ success: z.literal(true), request: registrationRequestSchemas.request }),
  errors: [
    'VALIDATION_ERROR',
    'FORBIDDEN',
    'PASSKEY_REJECTED',
    'SUB_AGENT_REFUSED',
    'NOT_FOUND',
    'INVALID_STATE',
  ],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const { response } = parseInput(body, call.body)
    const requestId = call.params.requestId ?? ''
    const { now } = call
    const request = await services.registrationRequests.approve({ principal, requestId, response, now })
    return { body: { success: true, request } }
  },
}
