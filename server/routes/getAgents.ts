import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { agentSchemas } from './agentSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'
import { searchSchema } from './searchSchema.ts'

const query = z.object({ search: searchSchema.optional() })

/** Source: `Spec: GET /api/agents`. */
export const getAgents: Operation = {
  summary:
    'Lists the agents of the signed-in account and its organisations, newest first; with `search`, those whose name or identifier holds it. A page can then be short, or empty, and not be the last: `hasMore` says.',
  query: { ...query.shape, ...PAGE_QUERY },
  answer: pageAnswer(agentSchemas.agent),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const page = readPage(call.query)
    const { search } = parseInput(query, { search: call.query.get('search') ?? undefined })
    return { body: writePage(await services.agents.list({ principal, search, page, now: call.now })) }
  },
}
