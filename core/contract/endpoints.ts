import { z } from 'zod'
import { allowlistEntrySchema } from '../access/allowlistEntrySchema.ts'
import { UNVERIFIED_AGENT_POLICIES } from '../access/facts.ts'
import { endpointPdlssSchema } from '../pdlss/pdlss.ts'
import { policyFileSchema } from '../policyFile/policyFile.ts'
import { nameSchema, pageAnswer, success } from './envelope.ts'
import { requirementSchemas } from './requirements.ts'
import { statisticsShape } from './statistics.ts'

/** Routes have the same form as in a policy file. */
const routes = policyFileSchema.shape.routes.unwrap()

const unverifiedAgentPolicy = z.enum(UNVERIFIED_AGENT_POLICIES)

const authorities = z
  .array(
    z
      .string()
      .max(261)
      .regex(
        /^[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?$/,
        'expected a host in lower case, with a port if it is not the default',
      ),
  )
  .max(20)
  .describe('Further hosts under which agents reach the endpoint, and for which they may sign')

const includeReceipt = z
  .boolean()
  .describe('Whether answers about registered agents come with a receipt, unless a request says otherwise')

/** Schemas that the endpoint operations share. */
const endpointSchemas = {
  counterpartyType: z.enum(['api', 'mcp_server', 'website', 'agent']),
  name: nameSchema,
  trustScoreRequirement: z.int().min(0).max(100),
  unverifiedAgentPolicy,
  ...requirementSchemas,
  authorities,
  includeReceipt,
  routes,
  endpoint: z.object({
    id: z.string(),
    svceId: z.string().nullable(),
    organizationId: z.string().nullable(),
    ownerIdentifier: z.string(),
    verificationTier: z.enum(['discovered', 'self_asserted', 'domain_verified']),
    status: z.enum(['active', 'deactivated', 'archived']),
    /** Any text: a discovered endpoint has the type that its first verification request stated. */
    counterpartyType: z.string(),
    name: z.string(),
    counterpartyUrl: z.string(),
    trustScoreRequirement: z.number(),
    unverifiedAgentPolicy,
    ...requirementSchemas,
    authorities,
    includeReceipt,
    pdlss: endpointPdlssSchema,
    routes,
    webhookSecret: z.string().nullable(),
    webhookUrl: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
} as const

/** An endpoint, as its owner sees it. */
export type Endpoint = z.output<typeof endpointSchemas.endpoint>

const url = z.string().min(1).max(2_048)

export const postEndpointsBody = z
  .object({
    counterpartyType: endpointSchemas.counterpartyType.optional(),
    name: endpointSchemas.name,
    counterpartyUrl: url.optional(),
    endpointUrl: url.optional().meta({ deprecated: true, description: 'Former name of `counterpartyUrl`' }),
    trustScoreRequirement: endpointSchemas.trustScoreRequirement.nullish(),
    unverifiedAgentPolicy: endpointSchemas.unverifiedAgentPolicy.nullish(),
    requiredFacts: endpointSchemas.requiredFacts.optional(),
    minIdentityProof: endpointSchemas.minIdentityProof.optional(),
    authorities: endpointSchemas.authorities.optional(),
    includeReceipt: endpointSchemas.includeReceipt.optional(),
    pdlss: endpointPdlssSchema.nullish(),
    routes: endpointSchemas.routes.nullish(),
  })
  .refine(({ counterpartyUrl, endpointUrl }) => counterpartyUrl !== undefined || endpointUrl !== undefined, {
    path: ['counterpartyUrl'],
    params: { code: 'required' },
    message: 'required: a string',
    // Also checked when other fields are invalid, so that one response lists every error.
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .refine(
    ({ counterpartyUrl, endpointUrl }) =>
      counterpartyUrl === undefined || endpointUrl === undefined || counterpartyUrl === endpointUrl,
    {
      path: ['counterpartyUrl'],
      params: { code: 'contradictory' },
      message: 'differs from endpointUrl, its former name',
    },
  )

/** Strict, because a misspelt member would silently leave the endpoint as it was. */
export const putEndpointBody = z.strictObject({
  name: endpointSchemas.name.optional(),
  trustScoreRequirement: endpointSchemas.trustScoreRequirement.optional(),
  unverifiedAgentPolicy: endpointSchemas.unverifiedAgentPolicy.optional(),
  requiredFacts: endpointSchemas.requiredFacts.optional(),
  minIdentityProof: endpointSchemas.minIdentityProof.optional(),
  authorities: endpointSchemas.authorities.optional(),
  includeReceipt: endpointSchemas.includeReceipt.optional(),
  routes: endpointSchemas.routes.optional(),
  pdlss: endpointPdlssSchema
    .optional()
    .meta({ description: 'Replaces the whole boundary; needs a session with a recent passkey assertion' }),
})

export const postEndpointClaimBody = z.object({
  organizationId: z.string().max(100).optional(),
  name: endpointSchemas.name.optional(),
  trustScoreRequirement: endpointSchemas.trustScoreRequirement.optional(),
  unverifiedAgentPolicy: endpointSchemas.unverifiedAgentPolicy.optional(),
})

const method = z.enum(['dns', 'well_known'])

/**
 * What proves control over a host when it is published: either of the two. Owners of endpoints get it from `verify-domain`;
 * those who register on a host that another account has not proven get it with the error.
 */
export const domainChallengeSchema = z.object({
  dns: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
  wellKnown: z.object({
    url: z.string(),
    body: z.object({
      /** Without `svceId` before the endpoint is registered. */
      verifications: z.array(z.object({ svceId: z.string().optional(), token: z.string() })),
    }),
  }),
})

/** What to publish to prove control over a host. */
export type DomainChallenge = z.output<typeof domainChallengeSchema>

/** An allowlist entry in responses. Source: `Spec: Allowlist entry`. */
const allowlistEntryAnswer = allowlistEntrySchema.extend({
  id: z.uuid(),
  createdAt: z.string(),
  /** Entries from before purposes had an alphabet stay readable. */
  allowedPurposes: z.array(z.string()).optional(),
})

/** An entry of an endpoint's allowlist. */
export type StoredAllowlistEntry = z.output<typeof allowlistEntryAnswer>

/** Request and response schemas of the operations, by method and path. */
export const endpointOperations = {
  'POST /api/endpoints': {
    body: postEndpointsBody,
    answer: success({
      svceId: z.string(),
      webhookSecret: z.string(),
      endpoint: endpointSchemas.endpoint,
    }),
  },
  'GET /api/endpoints': { answer: pageAnswer(endpointSchemas.endpoint) },
  'GET /api/endpoints/:id': { answer: success({ endpoint: endpointSchemas.endpoint }) },
  'GET /api/endpoints/:id/statistics': { answer: success(statisticsShape) },
  'PUT /api/endpoints/:id': {
    body: putEndpointBody,
    answer: success({ endpoint: endpointSchemas.endpoint }),
  },
  'POST /api/endpoints/:id/claim': {
    body: postEndpointClaimBody,
    answer: success({
      svceId: z.string(),
      webhookSecret: z.string(),
      endpoint: endpointSchemas.endpoint,
    }),
  },
  'POST /api/endpoints/:id/deactivate': { answer: success({ endpoint: endpointSchemas.endpoint }) },
  'POST /api/endpoints/:id/archive': { answer: success({ endpoint: endpointSchemas.endpoint }) },
  'POST /api/endpoints/:id/verify-domain': {
    answer: success({
      verified: z.boolean(),
      method: method.nullable(),
      challenge: domainChallengeSchema,
      failures: z.array(z.object({ method, reason: z.enum(['not_found', 'mismatch', 'unreachable']) })),
      endpoint: endpointSchemas.endpoint,
    }),
  },
  'GET /api/endpoints/:id/allowlist': { answer: pageAnswer(allowlistEntryAnswer) },
  'POST /api/endpoints/:id/allowlist': {
    body: allowlistEntrySchema,
    answer: success({ entry: allowlistEntryAnswer }),
  },
  'DELETE /api/endpoints/:id/allowlist/:entryId': { answer: success({ id: z.string() }) },
} as const
