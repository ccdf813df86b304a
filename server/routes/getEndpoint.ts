import { z } from 'zod'
import { endpointSchemas } from './endpointSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Endpoints"; `Spec: Client library contract` (per-route policy). */
export const getEndpoint: Operation = {
  summary: 'Shows an endpoint, with its routes and policy, to those who act for its owner.',
  answer: z.object({ success: z.literal(true), endpoint: endpointSchemas.endpoint }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const { params, principal } = call
    return {
      body: { success: true, endpoint: await services.endpoints.read({ id: params.id ?? '', principal }) },
    }
  },
}
