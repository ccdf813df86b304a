import { alertOperations, postAlertsReadBody } from '@svc/core/contract/alerts.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ListAlertsDeps,
  listAlerts,
  type ReadAlertsDeps,
  readAlert,
  readAlerts,
} from '../../services/alerts/readAlerts.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

const querySchema = z.object({ status: z.enum(['unread']).optional() })

/** Source: `Spec: Alerts`. */
export const getAlerts = operation({
  summary: 'Lists the alerts of the caller’s account, newest first.',
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

/** A long list would exhaust the rate budget if every alert took a request of its own. */
export const postAlertsRead = operation({
  summary: 'Marks up to 100 alerts as read: all of them, or none if one is not the caller’s.',
  body: alertOperations['POST /api/alerts/read'].body,
  answer: alertOperations['POST /api/alerts/read'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { approvals: ReadAlertsDeps }) => async (call) => {
    const { alertIds } = parseInput(postAlertsReadBody, call.body)
    const alerts = await readAlerts(parts.approvals, { alertIds, principal: call.principal, now: call.now })
    return { body: { success: true, alerts } }
  },
})

export const postAlertRead = operation({
  summary: 'Marks an alert as read.',
  answer: alertOperations['POST /api/alerts/:alertId/read'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { approvals: ReadAlertsDeps }) => async (call) => {
    const { params, principal, now } = call
    const alert = await readAlert(parts.approvals, { alertId: params.alertId ?? '', principal, now })
    return { body: { success: true, alert } }
  },
})
