import { endpointPdlssSchema } from '@svc/core/pdlss/pdlss.ts'
import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { endpointSchemas } from './endpointSchemas.ts'
import type { Operation } from './operation.ts'

const body = z.object({
  name: endpointSchemas.name.optional(),
  trustScoreRequirement: endpointSchemas.trustScoreRequirement.optional(),
  unverifiedAgentPolicy: endpointSchemas.unverifiedAgentPolicy.optional(),
  routes: endpointSchemas.routes.optional(),
  pdlss: endpointPdlssSchema
    .optional()
    .meta({ description: 'The whole boundary anew; only a session with a fresh passkey changes it' }),
})

/** Source: `Spec: PUT /api/endpoints/:id`; `Spec: Authentication` 6. */
export const putEndpoint: Operation = {
  summary: 'Changes the fields of an endpoint that are given.',
  body,
  answer: z.object({ success: z.literal(true), endpoint: endpointSchemas.endpoint }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'FORBIDDEN', 'SESSION_REQUIRED', 'ELEVATION_REQUIRED'],
  handle: (services) => async (call) => {
    const endpoint = await services.endpoints.update({
      id: call.params.id ?? '',
      principal: call.principal,
      changes: parseInput(body, call.body),
      now: call.now,
    })
    return { body: { success: true, endpoint } }
  },
}
