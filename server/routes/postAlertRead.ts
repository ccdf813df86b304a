import { z } from 'zod'
import { alertSchema } from './alertSchema.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Approvals, activity, audit". */
export const postAlertRead: Operation = {
  summary: 'Marks a notification as read.',
  answer: z.object({ success: z.literal(true), alert: alertSchema }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const alertId = call.params.alertId ?? ''
    const [alert] = await services.alerts.read({
      alertIds: [alertId],
      principal: call.principal,
      now: call.now,
    })
    return { body: { success: true, alert } }
  },
}
