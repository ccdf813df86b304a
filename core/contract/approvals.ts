import { z } from 'zod'
import { IDENTITY_PROOFS } from '../access/identityProof.ts'
import { pageAnswer, success } from './envelope.ts'
import { passkeySchemas } from './passkeys.ts'
import { standingSchemas } from './standingApprovals.ts'
import { spentSchema } from './statistics.ts'

const pollStatus = z.enum(['pending', 'approved', 'denied', 'expired', 'consumed'])

/** The request on hold: every fact that the approval is bound to, and the names that explain it. */
const heldRequest = z.object({
  agentId: z.string(),
  agentName: z.string().optional(),
  endpointId: z.string().nullable(),
  endpointName: z.string().nullish(),
  counterpartyUrl: z.string().nullish(),
  counterpartyType: z.string().nullish(),
  endpointTier: z.string().optional(),
  identityProof: z
    .enum(IDENTITY_PROOFS)
    .optional()
    .describe('What the held request proved; absent from older approvals'),
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
  callHash: z.string().optional().describe('SHA-256 of a tool and its arguments'),
})

/** The counterparty as it is now, unmasked, because the owner cannot consent to a stranger without a name. */
const counterparty = z.object({
  /** Null for an endpoint that is not stored. */
  name: z.string().nullable(),
  host: z.string().nullable(),
  url: z.string().nullable(),
  counterpartyType: z.string().nullable(),
  verificationTier: z.enum(['unknown', 'discovered', 'self_asserted', 'domain_verified']),
  status: z.enum(['active', 'deactivated', 'archived']).nullable(),
  knownSince: z.string().nullable().describe('When the endpoint was first registered or discovered'),
})

/** The counterparty of an approval, as the agent's owner sees it. */
export type ApprovalCounterparty = z.output<typeof counterparty>

const spending = z.object({
  days: z.number().describe('Days in UTC, including today'),
  atCounterparty: spentSchema,
  inAll: spentSchema,
})

/** What an agent has spent by granted requests. */
export type ApprovalSpending = z.output<typeof spending>

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

export const postStepUpApprovalOptionsBody = z.object({ standing: standingSchemas.terms })

export const postStepUpApprovalApproveBody = z.object({
  response: passkeySchemas.assertion,
  standing: standingSchemas.terms
    .optional()
    .describe('Also approves such requests in advance; the assertion has to be made for these terms'),
})

/** Request and response schemas of the operations, by method and path. */
export const approvalOperations = {
  'GET /api/step-up-approvals': { answer: pageAnswer(approvalSchemas.approval) },
  'GET /api/step-up-approvals/:approvalId': {
    answer: success({
      approval: approvalSchemas.approval.extend({
        counterparty,
        spending: spending.nullable().describe('Null while the sums are not up to date'),
        standingOffer: standingSchemas.offer
          .nullable()
          .describe('What can be approved in advance; null if every request has to be approved'),
        assertionOptions: passkeySchemas.requestOptions.nullable(),
      }),
    }),
  },
  'POST /api/step-up-approvals/:approvalId/options': {
    body: postStepUpApprovalOptionsBody,
    answer: success({ assertionOptions: passkeySchemas.requestOptions.nullable() }),
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
