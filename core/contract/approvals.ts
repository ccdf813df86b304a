import { z } from 'zod'
import { IDENTITY_PROOFS } from '../access/identityProof.ts'
import { pageAnswer, success } from './envelope.ts'
import { passkeySchemas } from './passkeys.ts'

const pollStatus = z.enum(['pending', 'approved', 'denied', 'expired', 'consumed'])

/** The request on hold; URL and tier are omitted if the endpoint belongs to another account. */
const heldRequest = z.object({
  agentId: z.string(),
  agentName: z.string().optional(),
  endpointId: z.string().nullable(),
  counterpartyUrl: z.string().nullish(),
  counterpartyType: z.string().nullish(),
  endpointTier: z.string().optional(),
  category: z.string().optional(),
  action: z.string().optional(),
  resource: z.string().optional(),
  resourceType: z.string().optional(),
  jurisdiction: z.string().optional(),
  transactionValue: z.number().optional(),
  currency: z.string().optional(),
  sessionDuration: z.number().optional().describe('Seconds'),
  certifications: z.array(z.string()).optional(),
  subAgent: z.object({ purpose: z.string().optional(), depth: z.number() }).optional(),
  identityProof: z.enum(IDENTITY_PROOFS).optional().describe('What the request proved about its sender'),
})

/** Schemas that the step-up approval operations share. Source: `Spec: Step-up approval object`. */
export const approvalSchemas = {
  status: pollStatus,
  approval: z.object({
    approvalId: z.string(),
    status: pollStatus,
    agentId: z.string(),
    agentName: z.string().nullable(),
    request: heldRequest,
    dimensions: z.array(z.string()),
    /** Whether the spend is at or above the stepUpThreshold, so that an assertion must be made for this approval. */
    needsFreshAssertion: z.boolean(),
    attemptId: z.string(),
    createdAt: z.string(),
    expiresAt: z.string(),
    /** Whole seconds until the approval can no longer be decided or used; 0 afterwards. */
    secondsLeft: z.number(),
    decidedAt: z.string().nullable(),
    consumedAt: z.string().nullable(),
  }),
} as const

/** A step-up approval, as the agent's owner sees it. */
export type Approval = z.output<typeof approvalSchemas.approval>

export const postStepUpApprovalApproveBody = z.object({ response: passkeySchemas.assertion })

/** Request and response schemas of the operations, by method and path. */
export const approvalOperations = {
  'GET /api/step-up-approvals': { answer: pageAnswer(approvalSchemas.approval) },
  'GET /api/step-up-approvals/:approvalId': {
    answer: success({
      approval: approvalSchemas.approval.extend({
        assertionOptions: passkeySchemas.requestOptions.nullable(),
      }),
    }),
  },
  'POST /api/step-up-approvals/:approvalId/approve': {
    body: postStepUpApprovalApproveBody,
    answer: success({ approval: approvalSchemas.approval }),
  },
  'POST /api/step-up-approvals/:approvalId/deny': { answer: success({ approval: approvalSchemas.approval }) },
  'GET /api/step-up-approvals/poll/:approvalId': {
    answer: success({
      approvalId: z.string(),
      status: pollStatus,
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
