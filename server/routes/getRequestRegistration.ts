import { z } from 'zod'
import type { Operation } from './operation.ts'
import { registrationRequestSchemas } from './registrationRequestSchemas.ts'

/** How long a caller waits between two polls: a person decides. */
const POLL_AFTER_SECONDS = 5

const { requestId, status, agentId, svcId, requestedAt, lastEventAt, expiresAt, denialReason } =
  registrationRequestSchemas.request.shape

/** Source: `Spec: GET /api/agents/request-registration/{requestId}`; api.md "Agents". */
export const getRequestRegistration: Operation = {
  summary: 'Says where a registration request stands, to anyone who knows its identifier.',
  answer: z.object({
    success: z.literal(true),
    ...{ requestId, status, agentId, svcId, requestedAt, lastEventAt, expiresAt, denialReason },
  }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const requestId = call.params.requestId ?? ''
    const request = await services.registrationRequests.poll({ requestId, now: call.now })
    const headers: Record<string, string> =
      request.status === 'pending' ? { 'Retry-After': String(POLL_AFTER_SECONDS) } : {}
    return { headers, body: { success: true, ...request } }
  },
}
