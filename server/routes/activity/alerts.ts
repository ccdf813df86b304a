import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ListAlertsDeps, listAlerts } from '../../services/alerts/listAlerts.ts'
import { type ReadAlertsDeps, readAlert, readAlerts } from '../../services/alerts/readAlerts.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

/** Schema of a dashboard notification in answers. Source: `Spec: Alerts`. */
const alertSchema = z.object({
  id: z.string(),
  code: z.string(),
  severity: z.enum(['warning', 'critical']),
  message: z.string(),
  data: z.record(z.string(), z.string()),
  createdAt: z.string(),
  readAt: z.string().nullable(),
  mayMarkRead: z.boolean(),
})

const querySchema = z.object({ status: z.enum(['unread']).optional() })

/** Source: `Spec: Alerts`; api.md "Approvals, activity, audit". */
export const getAlerts = operation({
  summary: 'Lists the notifications for the caller’s account, newest first.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: pageAnswer(alertSchema),
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { approvals: ListAlertsDeps }) => async (call) => {
    const page = readPage(call.query)
    const { status } = parseInput(querySchema, Object.fromEntries(call.query))
    const listed = await listAlerts(parts.approvals, {
      principal: call.principal,
      unreadOnly: status === 'unread',
      page,
    })
    return { body: writePage(listed) }
  },
})

/** Bound: api.md "Envelope". */
const body = z.object({ alertIds: z.array(z.uuid()).min(1).max(100) })

/** Source: api.md "Approvals, activity, audit"; for more than one the budget of single requests is too small. */
export const postAlertsRead = operation({
  summary: 'Marks up to a hundred notifications as read, all or, when one is not the caller’s, none.',
  body,
  answer: z.object({ success: z.literal(true), alerts: z.array(alertSchema) }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { approvals: ReadAlertsDeps }) => async (call) => {
    const { alertIds } = parseInput(body, call.body)
    const alerts = await readAlerts(parts.approvals, { alertIds, principal: call.principal, now: call.now })
    return { body: { success: true, alerts } }
  },
})

/** Source: api.md "Approvals, activity, audit". */
export const postAlertRead = operation({
  summary: 'Marks a notification as read.',
  answer: z.object({ success: z.literal(true), alert: alertSchema }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { approvals: ReadAlertsDeps }) => async (call) => {
    const { params, principal, now } = call
    const alert = await readAlert(parts.approvals, { alertId: params.alertId ?? '', principal, now })
    return { body: { success: true, alert } }
  },
})
