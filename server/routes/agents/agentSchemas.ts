import { PROTOCOLS } from '@svc/core/commerce/commerceProtocol.ts'
import { isDeeperThan } from '@svc/core/json.ts'
import { z } from 'zod'
import { nameSchema } from '../border/nameSchema.ts'

const shortText = z.string().min(1).max(200)
const url = z.url({ protocol: /^https?$/, message: 'expected an http or https URL' }).max(2_048)

/** A patch of a declared block: merged and checked as a whole later, so that only its nesting is bounded here. */
const blockPatch = z
  .record(z.string(), z.unknown())
  .refine((value) => !isDeeperThan(value, 16), 'expected at most 16 levels of nesting')

const onChainIdentity = z.object({
  agentId: z.number(),
  agentRegistry: z.string(),
  transactionHash: z.string().nullable(),
  blockNumber: z.number().nullable(),
  /** `registry`: the relayer keeps the token for an owner without a wallet. */
  custody: z.enum(['registry', 'owner']).nullable(),
  owner: z.string().nullable(),
  agentWallet: z.string().nullable(),
  tokenUri: z.string().nullable(),
  isTokenUriCurrent: z.boolean().nullable(),
})

/** What several operations of agents take and answer. Bounds: api.md "Envelope". */
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
  /** Public view; the owner's has more members. */
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
