import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { alertSchema } from './alertSchema.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'

const querySchema = z.object({ status: z.enum(['unread']).optional() })

/** Source: `Spec: Alerts`; api.md "Approvals, activity, audit". */
export const getAlerts: Operation = {
  summary: 'Lists the notifications for the caller’s account, newest first.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: pageAnswer(alertSchema),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const { status } = parseInput(querySchema, Object.fromEntries(call.query))
    const listed = await services.alerts.list({
      principal: call.principal,
      unreadOnly: status === 'unread',
      page,
    })
    return { body: writePage(listed) }
  },
}
