import { agentSchemas } from './agentSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'

/** Source: `Spec: GET /api/agents`. */
export const getAgents: Operation = {
  summary: 'Lists the agents of the signed-in account and its organisations, newest first.',
  query: PAGE_QUERY,
  answer: pageAnswer(agentSchemas.agent),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const page = readPage(call.query)
    return { body: writePage(await services.agents.list({ principal, page, now: call.now })) }
  },
}
