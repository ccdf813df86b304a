import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import type { Operation } from './operation.ts'

const PATH = '/.well-known/agent-registration.json'

const query = { after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() }

/** Source: EIP-8004 "Endpoint Domain Verification"; onchain.md "Registration file". */
export const getAgentRegistrations: Operation = {
  summary: 'Lists the agents of this host that are on chain; `next` is the path of the next part.',
  query,
  answer: z.object({
    registrations: z.array(z.object({ agentId: z.number(), agentRegistry: z.string() })),
    next: z.string().nullable(),
  }),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const { after } = parseInput(z.object(query), { after: call.query.get('after') ?? undefined })
    const { registrations, nextAfter } = await services.agents.registrations({ after: after ?? null })
    return { body: { registrations, next: nextAfter === null ? null : `${PATH}?after=${nextAfter}` } }
  },
}
