import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import { endpointSchemas } from './endpointSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: `Spec: Endpoint dashboard actions`; api.md "Endpoints". */
export const postEndpointArchive: Operation = {
  summary: 'Hides a deactivated endpoint and gives its URL free; audit records stay.',
  answer: z.object({ success: z.literal(true), endpoint: endpointSchemas.endpoint }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const endpoint = await services.endpoints.archive({ id: call.params.id ?? '', principal, now: call.now })
    return { body: { success: true, endpoint } }
  },
}
