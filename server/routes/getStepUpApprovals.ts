import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { approvalSchemas } from './approvalSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from './pagination.ts'

const querySchema = z.object({ status: approvalSchemas.status.optional() })

/** Source: api.md "Approvals, activity, audit". */
export const getStepUpApprovals: Operation = {
  summary: 'Lists the step-up approvals that were asked of the caller’s account, newest first.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: pageAnswer(approvalSchemas.approval),
  errors: ['VALIDATION_ERROR'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const { status } = parseInput(querySchema, Object.fromEntries(call.query))
    const principal = callerOf(call, 'session')
    return { body: writePage(await services.approvals.list({ principal, status, page, now: call.now })) }
  },
}
