import { certificationSchemas } from './certificationSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: docs/decisions/0044. */
export const getAgentCertifications: Operation = {
  summary: 'Lists the certifications that an agent holds.',
  answer: certificationSchemas.held,
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const held = await services.agents.readCertifications({ id: call.params.id ?? '' })
    return { body: { success: true, ...held } }
  },
}
