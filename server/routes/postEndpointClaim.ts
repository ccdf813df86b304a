import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import { endpointSchemas } from './endpointSchemas.ts'
import type { Operation } from './operation.ts'

const body = z.object({
  organizationId: z.string().max(100).optional(),
  name: endpointSchemas.name.optional(),
  trustScoreRequirement: endpointSchemas.trustScoreRequirement.optional(),
  unverifiedAgentPolicy: endpointSchemas.unverifiedAgentPolicy.optional(),
})

/** Source: `Spec: Endpoint dashboard actions`; api.md "Endpoints". */
export const postEndpointClaim: Operation = {
  summary: 'Claims a discovered endpoint for an organisation; answers its webhook secret once.',
  body,
  answer: z.object({
    success: z.literal(true),
    svceId: z.string(),
    webhookSecret: z.string(),
    endpoint: endpointSchemas.endpoint,
  }),
  errors: [
    'VALIDATION_ERROR',
    'FORBIDDEN',
    'NOT_FOUND',
    'ORG_REQUIRED',
    'INVALID_STATE',
    'URL_ALREADY_CLAIMED',
  ],
  repeatable: true,
  handle: (services) => async (call) => {
    const { organizationId, ...changes } = parseInput(body, call.body ?? {})
    const claimed = await services.endpoints.claim({
      id: call.params.id ?? '',
      principal: callerOf(call, 'session'),
      organizationId,
      changes,
      now: call.now,
    })
    return { body: { success: true, ...claimed } }
  },
}
