import { z } from 'zod'
import { success } from './envelope.ts'

/** The members that this registry and A2A 1.0 guarantee; a card may have more. */
const card = z.looseObject({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  supportedInterfaces: z.array(
    z.object({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() }),
  ),
  capabilities: z.looseObject({}),
  skills: z.array(z.looseObject({})),
  svcId: z.string(),
  verificationEndpoint: z.string(),
  jwksUrl: z.string(),
  runtimeChallengeSupported: z.boolean(),
  pdlss: z.looseObject({ declared: z.array(z.string()), hash: z.string() }),
  onChainIdentity: z.object({ agentId: z.number(), agentRegistry: z.string() }).nullable(),
  signatures: z.array(z.object({ protected: z.string(), signature: z.string() })),
})

/** Request and response schemas of the operations, by method and path. */
export const publicFileOperations = {
  'GET /api/agents/:id/card': { answer: card },
  'GET /.well-known/agent-registration.json': {
    answer: z.object({
      registrations: z.array(z.object({ agentId: z.number(), agentRegistry: z.string() })),
      next: z.string().nullable(),
    }),
  },
  'GET /registration-files/:svcId.json': {
    // The standard lets a registration file have more members. Source: ERC-8004 "Agent URI and registration file".
    answer: z.looseObject({ type: z.string(), name: z.string(), svcId: z.string() }),
  },
  'GET /api/chain/owners/:address': {
    answer: success({
      address: z.string(),
      /** Decimal. */
      nonce: z.string(),
      chainId: z.number(),
      identityRegistry: z.string(),
      /** `{svcId}` stands for the identifier derived from the address and the nonce of the signed request. */
      agentUriTemplate: z.string(),
    }),
  },
} as const
