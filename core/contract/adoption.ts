import { z } from 'zod'
import { postAgentsRegisterBody } from './agentRegistration.ts'
import { agentSchemas } from './agents.ts'
import { success } from './envelope.ts'

const token = z
  .string()
  .min(1)
  .max(120)
  .describe('`eip155:<chain id>:<identity registry>/<agent id>`, of a registry in FOREIGN_REGISTRIES')

const organizationId = z
  .string()
  .regex(/^SVCO-[0-9A-Za-z]{22}$/, 'expected the identifier of an organisation')
  .optional()
  .describe('The organisation that adopts the agent; by default the account of the session')

export const postAgentAdoptStatementBody = z.strictObject({ token, organizationId })

/** The registration fields apart from those that the token decides. */
export const postAgentAdoptBody = postAgentsRegisterBody.omit({ onChain: true, parentAgentId: true }).extend({
  name: agentSchemas.name.optional().describe('By default, the name in the agent’s registration file'),
  token,
  organizationId,
  expiresAt: z.int().min(0).describe('From the statement, in Unix seconds'),
  signature: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2}){1,2048}$/, 'expected bytes in hexadecimal with 0x')
    .describe('Of the statement (EIP-191), by the account that owns the token'),
})

/** An agent of another registry, as its chain and its registration file describe it. */
const foreignAgent = z.object({
  token: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  image: z.string().nullable(),
  services: z.array(z.object({ name: z.string(), endpoint: z.string() })),
  active: z.boolean(),
  owner: z.string(),
  agentWallet: z.string().nullable(),
  tokenUri: z.string(),
  /** Ratings by the reviewers that count; null if none do. */
  feedback: z.object({ count: z.number(), mean: z.number() }).nullable(),
})

/** Request and response schemas of the operations, by method and path. */
export const adoptionOperations = {
  'POST /api/agents/adopt/statement': {
    body: postAgentAdoptStatementBody,
    answer: success({
      agent: foreignAgent,
      message: z.string().describe('The text that the owner of the token signs'),
      expiresAt: z.number().describe('When the statement expires, in Unix seconds'),
    }),
  },
  'POST /api/agents/adopt': {
    body: postAgentAdoptBody,
    answer: success({ agent: agentSchemas.agent }),
  },
} as const
