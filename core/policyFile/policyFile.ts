import { z } from 'zod'
import { UNVERIFIED_AGENT_POLICIES } from '../access/facts.ts'
import { IDENTITY_PROOFS } from '../access/identityProof.ts'
import { parseGlob } from '../glob/parseGlob.ts'
import { agentPdlssSchema, endpointPdlssSchema } from '../pdlss/pdlss.ts'

const label = z.string().min(1).max(200)

const route = z.strictObject({
  pattern: z.string().refine((pattern) => parseGlob(pattern).ok, {
    message: 'expected a glob',
    params: { code: 'invalid_glob' },
  }),
  method: z
    .string()
    .regex(/^[A-Z]{1,20}$|^\*$/, 'expected a method in upper case, or *')
    .optional(),
  minAccessLevel: z.enum(['none', 'restricted', 'read-only', 'standard', 'full', 'internal']),
  minIdentityProof: z.enum(IDENTITY_PROOFS).optional(),
})

/**
 * The policy file of the local evaluator, with the same PDLSS schema as the service.
 *
 * Unknown keys are refused everywhere: a misspelt rule would silently widen the boundary. Spec: What the service does 9.
 */
export const policyFileSchema = z.strictObject({
  version: z.literal(['1', 1]),
  agent: z.strictObject({ id: label.optional(), name: label.optional() }).optional(),
  pdlss: agentPdlssSchema.optional(),
  endpoint: z.strictObject({ pdlss: endpointPdlssSchema.optional() }).optional(),
  unverifiedAgentPolicy: z.enum(UNVERIFIED_AGENT_POLICIES).optional(),
  routes: z.array(route).max(100).optional(),
  defaults: z.strictObject({ decision: z.enum(['deny', 'grant']).optional() }).optional(),
})

export type PolicyFile = z.infer<typeof policyFileSchema>
