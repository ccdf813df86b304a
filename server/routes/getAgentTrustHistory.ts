import { z } from 'zod'
import type { Operation } from './operation.ts'

const point = z.object({ at: z.string(), score: z.number() })

/** Source: `Spec: Trust score rules`. */
export const getAgentTrustHistory: Operation = {
  summary: 'Shows how the trust score of an own agent went, and what it is now.',
  answer: z.object({
    success: z.literal(true),
    items: z.array(point),
    current: point,
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { principal, now } = call
    const history = await services.trustHistory({ id: call.params.id ?? '', principal, now })
    return { body: { success: true, ...history } }
  },
}
