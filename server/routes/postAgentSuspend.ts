import { z } from 'zod'
import { agentSchemas } from './agentSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Agents". */
export const postAgentSuspend: Operation = {
  summary: 'Stops an agent until it is resumed: every request of it is denied meanwhile.',
  answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const input = { id: call.params.id ?? '', principal, now: call.now }
    return { body: { success: true, agent: await services.agents.changeStatus('suspend', input) } }
  },
}
