import { UNVERIFIED_AGENT_POLICIES } from '@svc/core/access/facts.ts'
import { policyFileSchema } from '@svc/core/policyFile/policyFile.ts'
import { z } from 'zod'
import { nameSchema } from '../border/nameSchema.ts'

/** A route is the same thing here and in a policy file. */
const routes = policyFileSchema.shape.routes.unwrap()

const unverifiedAgentPolicy = z.enum(UNVERIFIED_AGENT_POLICIES)

/** What several operations of endpoints take and answer. Bounds: api.md "Envelope", "Endpoints". */
export const endpointSchemas = {
  counterpartyType: z.enum(['api', 'mcp_server', 'website', 'agent']),
  name: nameSchema,
  trustScoreRequirement: z.int().min(0).max(100),
  unverifiedAgentPolicy,
  routes,
  endpoint: z.object({
    id: z.string(),
    svceId: z.string().nullable(),
    organizationId: z.string().nullable(),
    ownerIdentifier: z.string(),
    verificationTier: z.enum(['discovered', 'self_asserted', 'domain_verified']),
    status: z.enum(['active', 'deactivated', 'archived']),
    counterpartyType: z.string(),
    name: z.string(),
    counterpartyUrl: z.string(),
    trustScoreRequirement: z.number(),
    unverifiedAgentPolicy,
    pdlss: z.looseObject({}),
    routes,
    webhookSecret: z.string().nullable(),
    webhookUrl: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
} as const
