import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import { endpointSchemas } from './endpointSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: `Spec: Endpoint dashboard actions`; api.md "Endpoints". */
export const postEndpointDeactivate: Operation = {
  summary: 'Refuses all traffic of an endpoint from now on, for good.',
  answer: z.object({ success: z.literal(true), endpoint: endpointSchemas.endpoint }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const endpoint = await services.endpoints.deactivate({
      id: call.params.id ?? '',
      principal,
      now: call.now,
    })
    return { body: { success: true, endpoint } }
  },
}
