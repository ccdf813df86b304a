import { z } from 'zod'
import { pageAnswer } from './envelope.ts'
import { passkeySchemas } from './passkeys.ts'

const pollStatus = z.enum(['pending', 'approved', 'denied', 'expired', 'consumed'])

/** Schemas that the step-up approval operations share. Source: `Spec: Step-up approval object`. */
export const approvalSchemas = {
  status: pollStatus,
  approval: z.object({
    approvalId: z.string(),
    status: pollStatus,
    agentId: z.string(),
    agentName: z.string().nullable(),
    request: z.looseObject({ agentId: z.string(), endpointId: z.string().nullable() }),
    dimensions: z.array(z.string()),
    needsFreshAssertion: z.boolean(),
    attemptId: z.string(),
    createdAt: z.string(),
    expiresAt: z.string(),
    secondsLeft: z.number(),
    decidedAt: z.string().nullable(),
    consumedAt: z.string().nullable(),
  }),
} as const

export const postStepUpApprovalApproveBody = z.object({ response: passkeySchemas.assertion })

/** Request and response schemas of the operations, by method and path. */
export const approvalOperations = {
  'GET /api/step-up-approvals': { answer: pageAnswer(approvalSchemas.approval) },
  'GET /api/step-up-approvals/:approvalId': {
    answer: z.object({
      success: z.literal(true),
      approval: approvalSchemas.approval.extend({ assertionOptions: passkeySchemas.options.nullable() }),
    }),
  },
  'POST /api/step-up-approvals/:approvalId/approve': {
    body: postStepUpApprovalApproveBody,
    answer: z.object({ success: z.literal(true), approval: approvalSchemas.approval }),
  },
  'POST /api/step-up-approvals/:approvalId/deny': {
    answer: z.object({ success: z.literal(true), approval: approvalSchemas.approval }),
  },
  'GET /api/step-up-approvals/poll/:approvalId': {
    answer: z.object({
      success: z.literal(true),
      approvalId: z.string(),
      status: z.enum(['pending', 'approved', 'denied', 'expired', 'consumed']),
      expiresAt: z.string(),
      createdAt: z.string(),
      decidedAt: z.string().nullable(),
      consumedAt: z.string().nullable(),
      attemptId: z.string(),
      dimensions: z.array(z.string()),
      pollAfterSeconds: z.number(),
    }),
  },
} as const
