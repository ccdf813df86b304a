import { z } from 'zod'

const status = z.enum(['pending', 'approved', 'denied', 'expired', 'consumed'])

/** What the operations with step-up approvals take and answer. Source: `Spec: Step-up approval object`; api.md. */
export const approvalSchemas = {
  status,
  approval: z.object({
    approvalId: z.string(),
    status,
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
