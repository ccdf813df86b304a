import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { alertSchema } from './alertSchema.ts'
import type { Operation } from './operation.ts'

/** Bound: api.md "Envelope". */
const body = z.object({ alertIds: z.array(z.uuid()).min(1).max(100) })

/** Source: api.md "Approvals, activity, audit"; for more than one the budget of single requests is too small. */
export const postAlertsRead: Operation = {
  summary: 'Marks up to a hundred notifications as read, all or, when one is not the caller’s, none.',
  body,
  answer: z.object({ success: z.literal(true), alerts: z.array(alertSchema) }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { alertIds } = parseInput(body, call.body)
    const alerts = await services.alerts.read({ alertIds, principal: call.principal, now: call.now })
    return { body: { success: true, alerts } }
  },
}
