import { z } from 'zod'
import { agentSchemas } from './agentSchemas.ts'
import type { Operation } from './operation.ts'

/** Source: `Spec: GET /api/agents/{id}`, `Spec: GET /api/agents/:astraId`; api.md "Agents". */
export const getAgent: Operation = {
  summary: 'Shows an agent: its public record to anyone, everything to its owner, nothing to itself.',
  answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { principal, now } = call
    const agent = await services.agents.read({ id: call.params.id ?? '', principal, now })
    return { body: { success: true, agent } }
  },
}
