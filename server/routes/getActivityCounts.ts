import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { actsForOf } from '../services/actsForOf.ts'
import type { Operation } from './operation.ts'

const HOURS_MAX = 31 * 24

const querySchema = z.object({ hours: z.coerce.number().int().min(1).max(HOURS_MAX).default(24) })

/** What the dashboard draws over time; the list is the place for the events themselves. */
export const getActivityCounts: Operation = {
  summary: 'Counts the events of which the caller’s account is a party, hour by hour and type by type.',
  query: querySchema.shape,
  answer: z.object({
    success: z.literal(true),
    since: z.string(),
    isComplete: z.boolean(),
    hours: z.array(z.object({ start: z.string(), counts: z.record(z.string(), z.number()) })),
  }),
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const { hours } = parseInput(querySchema, Object.fromEntries(call.query))
    const actsFor = actsForOf(call.principal)
    return { body: { success: true, ...(await services.activity.count({ actsFor, hours, now: call.now })) } }
  },
}
