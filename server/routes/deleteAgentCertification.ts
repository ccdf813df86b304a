import { callerOf } from './callerOf.ts'
import { certificationSchemas } from './certificationSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: docs/decisions/0044. */
export const deleteAgentCertification: Operation = {
  summary: 'Withdraws a certification from an agent with a fresh passkey; the next decision goes by it.',
  answer: certificationSchemas.held,
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const { id = '', name: certification = '' } = call.params
    const input = { id, certification, principal, now: call.now }
    return { body: { success: true, ...(await services.agents.changeCertification('withdraw', input)) } }
  },
}
