import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { passkeySchemas } from './passkeySchemas.ts'
import { registrationRequestSchemas } from './registrationRequestSchemas.ts'

/** Source: api.md "Agents", "Approvals, activity, audit". */
export const getRegistrationRequest: Operation = {
  summary: 'Shows a registration request to its owner, with the options of the assertion that approves it.',
  answer: z.object({
    success: z.literal(true),
    request: registrationRequestSchemas.request.extend({
      assertionOptions: passkeySchemas.options.nullable(),
    }),
  }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const requestId = call.params.requestId ?? ''
    const request = await services.registrationRequests.read({ principal, requestId, now: call.now })
    return { body: { success: true, request } }
  },
}
