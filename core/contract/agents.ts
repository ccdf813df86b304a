import { z } from 'zod'
import { approvalRulesSchema } from '../access/approvalRulesSchema.ts'
import { BLOCKS, type Block, PROTOCOLS } from '../commerce/commerceProtocol.ts'
import { isDeeperThan } from '../json.ts'
import { agentPdlssSchema } from '../pdlss/pdlss.ts'
import { parseUrl } from '../url/url.ts'
import { done, nameSchema, pageAnswer, success } from './envelope.ts'
import { requirementSchemas } from './requirements.ts'
import { standingSchemas } from './standingApprovals.ts'
import { agentStatus, blockchainStatus } from './states.ts'
import { spentSchema, statisticsShape } from './statistics.ts'

const shortText = z.string().min(1).max(200)

const url = z.url({ protocol: /^https?$/, message: 'expected an http or https URL' }).max(2_048)

/** A patch of a declared block. The merged block is validated later, so only the nesting is bounded here. */
const blockPatch = z
  .record(z.string(), z.unknown())
  .refine((value) => !isDeeperThan(value, 16), 'expected at most 16 levels of nesting')

/** A declared block as it was registered. Its members are open, because the protocols grow faster than this registry. */
const declaredBlock = z.record(z.string(), z.unknown())

const declaredBlocks = Object.fromEntries(BLOCKS.map((block) => [block, declaredBlock.optional()])) as Record<
  Block,
  z.ZodOptional<typeof declaredBlock>
>

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

const model = z.object({
  modelName: shortText.optional(),
  modelProvider: shortText.optional(),
  modelType: shortText.optional(),
})

const framework = z.object({ frameworkName: shortText.optional(), frameworkVersion: shortText.optional() })

/** A transaction that only the holder of the agent's token can sign. */
const tokenAction = z.object({
  function: z.string(),
  reason: z.string(),
  to: z.string(),
  data: z.string().nullable(),
})

/** Why the identity of a registered agent is not on chain yet. */
const blockchainDelay = z.object({
  code: z.enum(['daily_gas_spent', 'unverified_gas_spent', 'account_gas_spent', 'network_gas_spent']),
  message: z.string(),
})

export type BlockchainDelay = z.output<typeof blockchainDelay>

/** The members that only the owner sees, including each declared block under its name. */
const ownedAgent = z.object({
  ...declaredBlocks,
  id: z.string(),
  ownerIdentifier: z.string(),
  apiEndpoint: z.string().nullable(),
  model: model.nullable(),
  framework: framework.nullable(),
  pdlss: agentPdlssSchema,
  pdlssHash: z.string(),
  pdlssSalt: z.string(),
  approvalRules: approvalRulesSchema,
  certifications: z.array(z.string()),
  parentAgentId: z.string().nullable(),
  /** The parent first. */
  parents: z.array(z.object({ svcId: z.string(), name: z.string(), agentStatus })),
  subAgentCount: z.number(),
  /** Null unless the gas budget delays the identity on chain. */
  blockchainDelay: blockchainDelay.nullable(),
  tokenActions: z.array(tokenAction),
  handOver: z.object({ address: z.string(), status: z.enum(['pending', 'done', 'failed']) }).nullable(),
  registrationFileHash: z.string().nullable(),
  updatedAt: z.string(),
})

/** Schemas that the agent operations share. */
export const agentSchemas = {
  name: nameSchema,
  description: z.string().max(2_000),
  agentType: shortText,
  agentId: z.string().regex(/^SVC-[0-9A-Za-z]{22}$/, 'expected an agent identifier'),
  url,
  model,
  framework,
  protocols: z.array(z.enum(PROTOCOLS)).max(100),
  blockPatch,
  blockchainDelay,
  /** The declared blocks, by name. */
  declarations: z.object(declaredBlocks),
  /** The optional members are only for the owner. */
  agent: z.object({
    svcId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    agentType: z.string().nullable(),
    image: z.string().nullable(),
    protocols: z.array(z.string()),
    trustScore: z.number(),
    agentStatus,
    blockchainStatus,
    runtimeChallengeSupported: z.boolean(),
    onChainIdentity: onChainIdentity.nullable(),
    agentCardUrl: z.string(),
    registrationFileUrl: z.string(),
    registeredAt: z.string(),
    ...ownedAgent.partial().shape,
  }),
} as const

/** An agent; only its owner sees the optional members. */
export type Agent = z.output<typeof agentSchemas.agent>

const blocks = Object.fromEntries(
  BLOCKS.map((block) => [block, agentSchemas.blockPatch.nullish()]),
) as Record<Block, z.ZodOptional<z.ZodNullable<typeof agentSchemas.blockPatch>>>

/** Fields that cannot change after registration. Source: `Spec: Errors` `pdlss_immutable`. */
export const IMMUTABLE_FIELDS = ['pdlss', 'model', 'framework', 'agentType', 'apiEndpoint'] as const

/** A member that a patch may repeat, so that a client can send back what it read. */
const repeated = z.unknown().optional().meta({ readOnly: true })

const readMembers = Object.fromEntries(
  Object.keys(agentSchemas.agent.shape).map((member) => [member, repeated]),
) as Record<keyof Agent, typeof repeated>

/** Strict, because a misspelt member would silently leave the agent as it was. */
export const patchAgentBody = z.strictObject({
  ...readMembers,
  name: agentSchemas.name.optional(),
  description: agentSchemas.description.nullish(),
  image: agentSchemas.url.nullish(),
  protocols: agentSchemas.protocols.nullish(),
  ...blocks,
})

const point = z.object({ at: z.string(), score: z.number() })

/** A trust score and the time from which it applied. */
export type TrustPoint = z.output<typeof point>

export const postAgentHandOverBody = z.object({
  address: z
    .templateLiteral(['0x', z.string()])
    .check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address of 20 bytes in hexadecimal')),
})

/** All members are optional, and so is the body. */
export const postAgentTokenBody = z.strictObject({
  audience: z
    .union(
      [z.string().regex(/^SVCE-[0-9A-Za-z]{22}$/), z.string().max(2_048).refine(isOrigin)],
      'expected the identifier of an endpoint, or its origin such as https://shop.example',
    )
    .optional()
    .describe(
      'The endpoint at which the token proves the identity of the agent; without one it proves it at none',
    ),
  jkt: z
    .string()
    .regex(/^[0-9A-Za-z_-]{43}$/, 'expected the SHA-256 thumbprint of a JWK')
    .optional()
    .describe('Thumbprint of the key whose signature has to accompany the token (RFC 7638)'),
})

/** Whether a text is an HTTP origin in its only spelling. */
function isOrigin(text: string): boolean {
  const url = parseUrl(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

/** Strict, because a misspelt member would silently leave the settings as they were. */
export const putAgentSettingsBody = z.strictObject({
  minIdentityProof: requirementSchemas.minIdentityProof.nullable().optional(),
  requiredFacts: requirementSchemas.requiredFacts.optional(),
  isListed: z.boolean().optional().describe('Whether the agent can be found in the directory'),
})

/** What requests of an agent have to prove and to state, and whether it can be found. */
const settingsAnswer = success({
  minIdentityProof: requirementSchemas.minIdentityProof
    .nullable()
    .describe('What the owner has set; null for the default'),
  effectiveMinIdentityProof: requirementSchemas.minIdentityProof.describe(
    'What applies: by default `signature` for an agent that ever registered a key, otherwise `none`; at least what its ancestors require',
  ),
  requiredFacts: requirementSchemas.requiredFacts,
  effectiveRequiredFacts: requirementSchemas.requiredFacts.describe(
    'What applies: what the owner has set, and what its ancestors require',
  ),
  inherited: z
    .object({
      minIdentityProof: requirementSchemas.minIdentityProof,
      requiredFacts: requirementSchemas.requiredFacts,
    })
    .describe('What the ancestors of a sub-agent together require of its requests; nothing without a parent'),
  isListed: z.boolean().describe('Whether the agent can be found in the directory; off by default'),
})

export const putAgentApprovalRulesBody = z.strictObject({ rules: approvalRulesSchema })

/** Request and response schemas of the operations, by method and path. */
export const agentOperations = {
  'GET /api/agents': { answer: pageAnswer(agentSchemas.agent) },
  'GET /api/agents/:id': { answer: success({ agent: agentSchemas.agent }) },
  'PATCH /api/agents/:id': { body: patchAgentBody, answer: success({ agent: agentSchemas.agent }) },
  'GET /api/agents/:id/trust-history': {
    answer: success({
      items: z.array(point),
      current: point,
    }),
  },
  'GET /api/agents/:id/statistics': {
    answer: success({
      ...statisticsShape,
      spent: spentSchema,
    }),
  },
  'POST /api/agents/:id/token': {
    body: postAgentTokenBody,
    answer: success({ agentToken: z.string(), expiresIn: z.number() }),
  },
  'POST /api/agents/:id/suspend': { answer: success({ agent: agentSchemas.agent }) },
  'POST /api/agents/:id/resume': { answer: success({ agent: agentSchemas.agent }) },
  'POST /api/agents/:id/retire': { answer: success({ agent: agentSchemas.agent }) },
  'POST /api/agents/:id/hand-over': {
    body: postAgentHandOverBody,
    answer: success({ agent: agentSchemas.agent }),
  },
  'GET /api/agents/:id/settings': { answer: settingsAnswer },
  'PUT /api/agents/:id/settings': { body: putAgentSettingsBody, answer: settingsAnswer },
  'GET /api/agents/:id/approval-rules': {
    answer: success({
      rules: approvalRulesSchema,
      standing: z
        .array(standingSchemas.rule)
        .describe('What the owner approved in advance, until it expires or is removed'),
    }),
  },
  'DELETE /api/agents/:id/approval-rules/:ruleId': { answer: done },
  'PUT /api/agents/:id/approval-rules': {
    body: putAgentApprovalRulesBody,
    answer: success({ rules: approvalRulesSchema }),
  },
} as const
