import { z } from 'zod'
import type { Protocol } from './protocols.ts'

const text = z.string().min(1).max(2_048)
const url = z.url({ protocol: /^https?$/ }).max(2_048)

/** A2A asks for at least one skill. Spec: Commerce protocol declarations. */
const a2aSkill = z.looseObject({
  id: text,
  name: text,
  description: text,
  tags: z.array(text).max(100).optional(),
})

/**
 * The top-level blocks of a registration, one for each protocol, by what is required of them.
 *
 * Optional and unknown members are kept as they are: the protocols grow faster than this list.
 *
 * Source: Spec: Commerce protocol declarations; protocols.md.
 */
export const protocolDeclarations = {
  a2a: z.looseObject({
    agentUrl: url,
    version: text.optional(),
    transport: text.optional(),
    skills: z.array(a2aSkill).min(1).max(100),
  }),
  acp: z.looseObject({ merchantId: text, checkoutEndpoint: url }),
  ap2: z.looseObject({ agentDid: text }),
  ucp: z.looseObject({ manifestUrl: url }),
  mpp: z.looseObject({ merchantId: text }),
  x402: z.looseObject({ walletAddress: text }),
  vi: z.looseObject({ executionMode: z.enum(['Immediate', 'Autonomous', 'Both']), publicKey: text }),
  agentpay: z.looseObject({ mastercardAgentId: text, publicKey: text }),
  tap: z.looseObject({ visaAgentId: text, publicKey: text }),
} as const satisfies Record<Protocol, z.ZodType>
