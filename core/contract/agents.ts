import { z } from 'zod'
import { approvalRulesSchema } from '../access/approvalRules.ts'
import type { Protocol } from '../commerce/commerceProtocol.ts'
import { PROTOCOLS } from '../commerce/commerceProtocol.ts'
import { isDeeperThan } from '../json.ts'
import { nameSchema, pageAnswer } from './envelope.ts'

const shortText = z.string().min(1).max(200)

const url = z.url({ protocol: /^https?$/, message: 'expected an http or https URL' }).max(2_048)

/** A patch of a declared block. The merged block is validated later, so only the nesting is bounded here. */
const blockPatch = z
  .record(z.string(), z.unknown())
  .refine((value) => !isDeeperThan(value, 16), 'expected at most 16 levels of nesting')

const onChainIdentity = z.object({
  agentId: z.number(),
  agentRegistry: z.string(),
  transactionHash: z.string().nullable(),
  blockNumber: z.number().nullable(),
  /** `registry`: the relayer holds the token for an owner without a wallet. */
  custody: z.enum(['registry', 'owner']).nullable(),
  owner: z.string().nullable(),
  agentWallet: z.string().nullable(),
  tokenUri: z.string().nullable(),
  isTokenUriCurrent: z.boolean().nullable(),
})

/** Schemas that the agent operations share. */
export const agentSchemas = {
  name: nameSchema,
  description: z.string().max(2_000),
  agentType: shortText,
  agentId: z.string().regex(/^SVC-[0-9A-Za-z]{22}$/, 'expected an agent identifier'),
  url,
  model: z.object({
    modelName: shortText.optional(),
    modelProvider: shortText.optional(),
    modelType: shortText.optional(),
  }),
  framework: z.object({ frameworkName: shortText.optional(), frameworkVersion: shortText.optional() }),
  protocols: z.array(z.enum(PROTOCOLS)).max(100),
  blockPatch,
  /** The public view; the owner's has more members. */
  agent: z.looseObject({
    svcId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    agentType: z.string().nullable(),
    image: z.string().nullable(),
    protocols: z.array(z.string()),
    trustScore: z.number(),
    agentStatus: z.string(),
    blockchainStatus: z.string(),
    runtimeChallengeSupported: z.boolean(),
    onChainIdentity: onChainIdentity.nullable(),
    agentCardUrl: z.string(),
    registrationFileUrl: z.string(),
    registeredAt: z.string(),
  }),
} as const

const blocks = Object.fromEntries(
  PROTOCOLS.map((protocol) => [protocol, agentSchemas.blockPatch.nullish()]),
) as Record<Protocol, z.ZodOptional<z.ZodNullable<typeof agentSchemas.blockPatch>>>

export const patchAgentBody = z.object({
  name: agentSchemas.name.optional(),
  description: agentSchemas.description.nullish(),
  image: agentSchemas.url.nullish(),
  protocols: agentSchemas.protocols.nullish(),
  ...blocks,
})

const point = z.object({ at: z.string(), score: z.number() })

export const postAgentHandOverBody = z.object({
  address: z
    .templateLiteral(['0x', z.string()])
    .check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address of 20 bytes in hexadecimal')),
})

export const putAgentApprovalRulesBody = z.object({ rules: approvalRulesSchema })

/** Request and response schemas of the operations, by method and path. */
export const agentOperations = {
  'GET /api/agents': { answer: pageAnswer(agentSchemas.agent) },
  'GET /api/agents/:id': { answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }) },
  'PATCH /api/agents/:id': {
    body: patchAgentBody,
    answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  },
  'GET /api/agents/:id/trust-history': {
    answer: z.object({
      success: z.literal(true),
      items: z.array(point),
      current: point,
    }),
  },
  'POST /api/agents/:id/token': {
    answer: z.object({ success: z.literal(true), agentToken: z.string(), expiresIn: z.number() }),
  },
  'POST /api/agents/:id/suspend': {
    answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  },
  'POST /api/agents/:id/resume': {
    answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  },
  'POST /api/agents/:id/retire': {
    answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  },
  'POST /api/agents/:id/hand-over': {
    body: postAgentHandOverBody,
    answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  },
  'GET /api/agents/:id/approval-rules': {
    answer: z.object({ success: z.literal(true), rules: approvalRulesSchema }),
  },
  'PUT /api/agents/:id/approval-rules': {
    body: putAgentApprovalRulesBody,
    answer: z.object({ success: z.literal(true), rules: approvalRulesSchema }),
  },
} as const
