import { z } from 'zod'

/** Schema of a dashboard notification in answers. Source: `Spec: Alerts`. */
export const alertSchema = z.object({
  id: z.string(),
  code: z.string(),
  severity: z.enum(['warning', 'critical']),
  message: z.string(),
  data: z.record(z.string(), z.string()),
  createdAt: z.string(),
  readAt: z.string().nullable(),
  mayMarkRead: z.boolean(),
})
