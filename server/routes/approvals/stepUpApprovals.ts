import {
  approvalOperations,
  approvalSchemas,
  postStepUpApprovalApproveBody,
  postStepUpApprovalOptionsBody,
} from '@svc/core/contract/approvals.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ApproveApprovalDeps, approveApproval } from '../../services/approvals/approveApproval.ts'
import { type DenyApprovalDeps, denyApproval } from '../../services/approvals/denyApproval.ts'
import {
  type CreateStandingOptionsDeps,
  createStandingOptions,
  type ListApprovalsDeps,
  listApprovals,
  type PollApprovalDeps,
  pollApproval,
  type ReadApprovalDeps,
  readApproval,
} from '../../services/approvals/readApproval.ts'
import { callerOf } from '../border/callerOf.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

const querySchema = z.object({ status: approvalSchemas.status.optional() })

export const getStepUpApprovals = operation({
  summary: 'Lists the step-up approvals requested from the caller’s account, newest first.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: approvalOperations['GET /api/step-up-approvals'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { approvals: ListApprovalsDeps }) => async (call) => {
    const page = readPage(call.query)
    const { status } = parseInput(querySchema, Object.fromEntries(call.query))
    const principal = callerOf(call, 'session')
    return {
      body: writePage(await listApprovals(parts.approvals, { principal, status, page, now: call.now })),
    }
  },
})

export const getStepUpApproval = operation({
  summary: 'Returns a step-up approval to the agent’s owner, with the WebAuthn options for granting it.',
  answer: approvalOperations['GET /api/step-up-approvals/:approvalId'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { approvals: ReadApprovalDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const approvalId = call.params.approvalId ?? ''
    const approval = await readApproval(parts.approvals, { principal, approvalId, now: call.now })
    return { body: { success: true, approval } }
  },
})

/** Source: WebAuthn 3 §13.4.3. */
export const postStepUpApprovalOptions = operation({
  summary: 'Returns the WebAuthn options for granting a step-up approval and further spending in advance.',
  body: approvalOperations['POST /api/step-up-approvals/:approvalId/options'].body,
  answer: approvalOperations['POST /api/step-up-approvals/:approvalId/options'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { approvals: CreateStandingOptionsDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { standing } = parseInput(postStepUpApprovalOptionsBody, call.body)
    const approvalId = call.params.approvalId ?? ''
    const { now } = call
    const assertionOptions = await createStandingOptions(parts.approvals, {
      ...{ principal, approvalId, standing, now },
    })
    return { body: { success: true, assertionOptions } }
  },
})

/** Source: `Spec: Authentication` 8. */
export const postStepUpApprovalApprove = operation({
  summary:
    'Grants a step-up approval with a passkey assertion made with its WebAuthn options, and further spending in advance if the options were made for it.',
  body: approvalOperations['POST /api/step-up-approvals/:approvalId/approve'].body,
  answer: approvalOperations['POST /api/step-up-approvals/:approvalId/approve'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'PASSKEY_REJECTED', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { approvals: ApproveApprovalDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { response, standing } = parseInput(postStepUpApprovalApproveBody, call.body)
    const approvalId = call.params.approvalId ?? ''
    const approval = await approveApproval(parts.approvals, {
      principal,
      approvalId,
      response,
      standing,
      now: call.now,
    })
    return { body: { success: true, approval } }
  },
})

export const postStepUpApprovalDeny = operation({
  summary: 'Denies a step-up approval, including one that was granted but not used yet.',
  answer: approvalOperations['POST /api/step-up-approvals/:approvalId/deny'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { approvals: DenyApprovalDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const approvalId = call.params.approvalId ?? ''
    const approval = await denyApproval(parts.approvals, { principal, approvalId })
    return { body: { success: true, approval } }
  },
})

/** How long a caller should wait between two polls. */
const POLL_AFTER_SECONDS = 3
const NO_HEADERS: Record<string, string> = {}
const POLL_AGAIN: Record<string, string> = { 'Retry-After': String(POLL_AFTER_SECONDS) }

/** Source: `Spec: GET /api/step-up-approvals/poll/{approvalId}`. */
export const getStepUpApprovalPoll = operation({
  summary: 'Returns the state of a step-up approval to the API key that received it.',
  answer: approvalOperations['GET /api/step-up-approvals/poll/:approvalId'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { approvals: PollApprovalDeps }) => async (call) => {
    const approval = await pollApproval(parts.approvals, {
      principal: callerOf(call, 'apiKey'),
      approvalId: call.params.approvalId ?? '',
      now: call.now,
    })
    return {
      // A decided approval does not change by waiting.
      headers: approval.status === 'pending' ? POLL_AGAIN : NO_HEADERS,
      body: {
        success: true,
        ...approval,
        pollAfterSeconds: POLL_AFTER_SECONDS,
      },
    }
  },
})
