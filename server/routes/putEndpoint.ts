import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { endpointSchemas } from './endpointSchemas.ts'
import type { Operation } from './operation.ts'

const body = z.object({
  name: endpointSchemas.name.optional(),
  trustScoreRequirement: endpointSchemas.trustScoreRequirement.optional(),
  unverifiedAgentPolicy: endpointSchemas.unverifiedAgentPolicy.optional(),
  routes: endpointSchemas.routes.optional(),
  pdlss: z.unknown().optional().meta({ description: 'Never changed here by an API key' }),
})

/** Source: `Spec: PUT /api/endpoints/:id`; `Spec: Authentication` 6. */
export const putEndpoint: Operation = {
  summary: 'Changes the fields of an endpoint that are given.',
  body,
  answer: z.object({ success: z.literal(true), endpoint: endpointSchemas.endpoint }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'SESSION_REQUIRED', 'ELEVATION_REQUIRED'],
  handle: (services) => async (call) => {
    const { pdlss, ...changes } = parseInput(body, call.body)
    const endpoint = await services.endpoints.update({
      id: call.params.id ?? '',
      principal: call.principal,
      changes,
      changesBoundary: pdlss !== undefined,
      now: call.now,
    })
    return { body: { success: true, endpoint } }
  },
}
