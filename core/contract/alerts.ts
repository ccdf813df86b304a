import { z } from 'zod'
import { pageAnswer, success } from './envelope.ts'

/** Schema of a dashboard notification in responses. Source: `Spec: Alerts`. */
const alertSchema = z.object({
  id: z.string(),
  code: z.string(),
  severity: z.enum(['warning', 'critical']),
  message: z.string(),
  data: z.record(z.string(), z.string()),
  createdAt: z.string(),
  readAt: z.string().nullable(),
  /** False for a viewer of the organisation. */
  mayMarkRead: z.boolean(),
})

/** A dashboard notification. */
export type Alert = z.output<typeof alertSchema>

export const postAlertsReadBody = z.object({ alertIds: z.array(z.uuid()).min(1).max(100) })

/** Request and response schemas of the operations, by method and path. */
export const alertOperations = {
  'GET /api/alerts': { answer: pageAnswer(alertSchema) },
  'POST /api/alerts/read': { body: postAlertsReadBody, answer: success({ alerts: z.array(alertSchema) }) },
  'POST /api/alerts/:alertId/read': { answer: success({ alert: alertSchema }) },
} as const
