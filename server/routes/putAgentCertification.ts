import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import { certificationSchemas } from './certificationSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: docs/decisions/0044. */
export const putAgentCertification: Operation = {
  summary: 'Grants an agent a certification with a fresh passkey; the next decision goes by it.',
  answer: certificationSchemas.held,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const { name: certification } = parseInput(certificationSchemas.params, call.params)
    const input = { id: call.params.id ?? '', certification, principal, now: call.now }
    return { body: { success: true, ...(await services.agents.changeCertification('grant', input)) } }
  },
}
