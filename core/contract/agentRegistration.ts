import { z } from 'zod'
import { BLOCKS } from '../commerce/commerceProtocol.ts'
import { protocolDeclarations } from '../commerce/protocolDeclarations.ts'
import { agentPdlssSchema } from '../pdlss/pdlss.ts'
import { agentKeySchema } from '../signing/agentKeySchema.ts'
import { computeKeyThumbprint } from '../signing/computeKeyThumbprint.ts'
import { AGENT_KEYS_MAX, KEY_PROOF_LENGTH_MAX } from './agentKeys.ts'
import { agentSchemas } from './agents.ts'
import { success } from './envelope.ts'
import { agentStatus, blockchainStatus } from './states.ts'

const hexBytes = z
  .templateLiteral(['0x', z.string()])
  .check(z.regex(/^0x([0-9a-fA-F]{2}){1,2048}$/, 'expected bytes in hexadecimal with 0x'))

const onChain = z.object({
  deadline: z.union([z.int().min(0), z.string().regex(/^\d{1,77}$/, 'expected Unix seconds')]),
  signature: hexBytes,
})

const blocks = Object.fromEntries(BLOCKS.map((block) => [block, protocolDeclarations[block].nullish()])) as {
  [B in (typeof BLOCKS)[number]]: z.ZodOptional<z.ZodNullable<(typeof protocolDeclarations)[B]>>
}

export const postAgentsRegisterBody = z.object({
  name: agentSchemas.name,
  description: agentSchemas.description.nullish(),
  agentType: agentSchemas.agentType.nullish(),
  apiEndpoint: agentSchemas.url.nullish(),
  image: agentSchemas.url.nullish(),
  model: agentSchemas.model.nullish(),
  framework: agentSchemas.framework.nullish(),
  protocols: agentSchemas.protocols.nullish(),
  pdlss: agentPdlssSchema.nullish(),
  onChain: onChain.nullish(),
  parentAgentId: agentSchemas.agentId
    .nullish()
    .describe('Agent of the same owner whose sub-agent this becomes'),
  keys: z
    .array(agentKeySchema)
    .max(AGENT_KEYS_MAX)
    .refine((keys) => new Set(keys.map(computeKeyThumbprint)).size === keys.length, 'a key occurs twice')
    .nullish()
    .describe('Public keys with which the agent signs its requests'),
  keyProofs: z
    .array(z.string().min(1).max(KEY_PROOF_LENGTH_MAX))
    .max(AGENT_KEYS_MAX)
    .nullish()
    .describe(
      'Proofs of possession of `keys`: compact JWSs of type `svc-key-proof+jwt`; only where the owner of the agent signs',
    ),
  ...blocks,
})

/** Request and response schemas of the operations, by method and path. */
export const agentRegistrationOperations = {
  'POST /api/agents/register': {
    body: postAgentsRegisterBody,
    answer: success({
      data: z.object({
        agent: z.object({
          kyaAgentId: z.string(),
          svcId: z.string(),
          trustScore: z.number(),
          name: z.string(),
          agentStatus,
          blockchainStatus,
          blockchainDelay: agentSchemas.blockchainDelay.nullish(),
          agentCardUrl: z.string(),
          registrationFileUrl: z.string(),
        }),
      }),
    }),
  },
} as const
