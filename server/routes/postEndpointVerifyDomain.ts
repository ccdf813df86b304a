import { z } from 'zod'
import { endpointSchemas } from './endpointSchemas.ts'
import type { Operation } from './operation.ts'

const method = z.enum(['dns', 'well_known'])

/** Source: api.md "Endpoints". */
export const postEndpointVerifyDomain: Operation = {
  summary: 'Tells what to publish to prove the domain of an endpoint, and checks whether it is there.',
  answer: z.object({
    success: z.literal(true),
    verified: z.boolean(),
    method: method.nullable(),
    challenge: z.object({
      dns: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
      wellKnown: z.object({
        url: z.string(),
        body: z.object({ verifications: z.array(z.object({ svceId: z.string(), token: z.string() })) }),
      }),
    }),
    failures: z.array(z.object({ method, reason: z.enum(['not_found', 'mismatch', 'unreachable']) })),
    endpoint: endpointSchemas.endpoint,
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const checked = await services.verifyDomain({
      id: call.params.id ?? '',
      principal: call.principal,
      now: call.now,
    })
    return { body: { success: true, ...checked } }
  },
}
