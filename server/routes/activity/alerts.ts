import { alertOperations, postAlertsReadBody } from '@svc/core/contract/alerts.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ListAlertsDeps, listAlerts } from '../../services/alerts/listAlerts.ts'
import { type ReadAlertsDeps, readAlert, readAlerts } from '../../services/alerts/readAlerts.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

const querySchema = z.object({ status: z.enum(['unread']).optional() })

/** Source: `Spec: Alerts`; api.md "Approvals, activity, audit". */
export const getAlerts = operation({
  summary: 'Lists the notifications for the caller’s account, newest first.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: alertOperations['GET /api/alerts'].answer,
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

/** Source: api.md "Approvals, activity, audit"; for more than one the budget of single requests is too small. */
export const postAlertsRead = operation({
  summary: 'Marks up to a hundred notifications as read, all or, when one is not the caller’s, none.',
  body: alertOperations['POST /api/alerts/read'].body,
  answer: alertOperations['POST /api/alerts/read'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { approvals: ReadAlertsDeps }) => async (call) => {
    const { alertIds } = parseInput(postAlertsReadBody, call.body)
    const alerts = await readAlerts(parts.approvals, { alertIds, principal: call.principal, now: call.now })
    return { body: { success: true, alerts } }
  },
})

/** Source: api.md "Approvals, activity, audit". */
export const postAlertRead = operation({
  summary: 'Marks a notification as read.',
  answer: alertOperations['POST /api/alerts/:alertId/read'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { approvals: ReadAlertsDeps }) => async (call) => {
    const { params, principal, now } = call
    const alert = await readAlert(parts.approvals, { alertId: params.alertId ?? '', principal, now })
    return { body: { success: true, alert } }
  },
})
