import { z } from 'zod'
import { agentSchemas } from './agentSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Agents". */
export const postAgentRetire: Operation = {
  summary: 'Ends an agent for good: from the answer on every request of it is denied.',
  answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const input = { id: call.params.id ?? '', principal, now: call.now }
    return { body: { success: true, agent: await services.agents.changeStatus('retire', input) } }
  },
}
