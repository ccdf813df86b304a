import { z } from 'zod'
import { agentKeySchema } from '../signing/agentKeySchema.ts'
import { nameSchema, success } from './envelope.ts'

/** Maximum number of active keys of an agent. */
export const AGENT_KEYS_MAX = 20
/** Maximum characters of a proof that somebody holds a key. */
export const KEY_PROOF_LENGTH_MAX = 2_048

/** A stored key; only the owner of the agent sees its name and the revoked ones. */
export const storedKeySchema = z.object({
  kid: z.string().describe('JWK thumbprint (RFC 7638), by which a signature names the key'),
  kty: z.enum(['OKP', 'EC']),
  crv: z.enum(['Ed25519', 'P-256']),
  name: z.string().nullable(),
  status: z.enum(['active', 'revoked']),
  createdAt: z.string(),
  revokedAt: z.string().nullable(),
  provenAt: z
    .string()
    .nullable()
    .describe('When whoever added it proved to hold the private half; null if nobody did'),
})

/** A key of an agent in responses. */
export type StoredAgentKey = z.output<typeof storedKeySchema>

/** An Ethereum account that signs for an agent; only the owner of the agent sees it. */
const signingAccountSchema = z.object({
  address: z.string().describe('In lower case'),
  source: z
    .enum(['linked_wallet', 'registration', 'agent_wallet'])
    .describe(
      'Why it signs: the owner has linked it, it signed the registration, or the token names it as `agentWallet`',
    ),
})

/** An Ethereum account that signs for an agent, in responses. */
export type SigningAccount = z.output<typeof signingAccountSchema>

export const postAgentKeysBody = z.strictObject({
  key: agentKeySchema.describe('The public key as a JWK: Ed25519 or P-256'),
  name: nameSchema.nullish().describe('What the owner calls it, for example where the private key is'),
  proof: z
    .string()
    .min(1)
    .max(KEY_PROOF_LENGTH_MAX)
    .nullish()
    .describe(
      'Proof of possession: a compact JWS of type `svc-key-proof+jwt` that the key itself has signed',
    ),
})

const keySet = z.object({
  keys: z.array(
    z.object({
      kid: z.string(),
      kty: z.string(),
      crv: z.string(),
      x: z.string(),
      y: z.string().optional(),
      use: z.literal('sig'),
      alg: z.string(),
    }),
  ),
})

/** Request and response schemas of the operations, by method and path. */
export const agentKeyOperations = {
  'GET /api/agents/:id/keys': {
    answer: success({ items: z.array(storedKeySchema), accounts: z.array(signingAccountSchema) }),
  },
  'POST /api/agents/:id/keys': { body: postAgentKeysBody, answer: success({ key: storedKeySchema }) },
  'DELETE /api/agents/:id/keys/:kid': { answer: success({ key: storedKeySchema }) },
  'DELETE /api/agents/:id/accounts/:address': { answer: success({ address: z.string() }) },
  'GET /.well-known/agents/:svcId/jwks.json': { answer: keySet },
} as const
