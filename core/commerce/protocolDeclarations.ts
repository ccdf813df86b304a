import { z } from 'zod'
import { isDeeperThan } from '../json/isDeeperThan.ts'
import type { Protocol } from './protocols.ts'

/** Blocks are kept as they are, so their nesting is bounded here. */
const DEPTH_MAX = 16

const text = z.string().min(1).max(2_048)
const url = z.url({ protocol: /^https?$/ }).max(2_048)

/** A2A asks for at least one skill. Spec: Commerce protocol declarations. */
const a2aSkill = z.looseObject({
  id: text,
  name: text,
  description: text,
  tags: z.array(text).max(100).optional(),
})

const block = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .looseObject(shape)
    .refine((value) => !isDeeperThan(value, DEPTH_MAX), `expected at most ${DEPTH_MAX} levels of nesting`)

/**
 * The top-level blocks of a registration, one for each protocol, by what is required of them.
 *
 * Optional and unknown members are kept as they are: the protocols grow faster than this list.
 *
 * Source: Spec: Commerce protocol declarations; protocols.md.
 */
export const protocolDeclarations = {
  a2a: block({
    agentUrl: url,
    version: text.optional(),
    transport: text.optional(),
    skills: z.array(a2aSkill).min(1).max(100),
  }),
  acp: block({ merchantId: text, checkoutEndpoint: url }),
  ap2: block({ agentDid: text }),
  ucp: block({ manifestUrl: url }),
  mpp: block({ merchantId: text }),
  x402: block({ walletAddress: text }),
  vi: block({ executionMode: z.enum(['Immediate', 'Autonomous', 'Both']), publicKey: text }),
  agentpay: block({ mastercardAgentId: text, publicKey: text }),
  tap: block({ visaAgentId: text, publicKey: text }),
} as const satisfies Record<Protocol, z.ZodType>
