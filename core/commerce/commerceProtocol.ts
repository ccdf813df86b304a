import type { z } from 'zod'

/** The commerce protocols an agent can declare. Spec: Agent, `protocols`. */
export const PROTOCOLS = ['a2a', 'acp', 'ap2', 'ucp', 'mpp', 'x402', 'vi', 'agentpay', 'tap'] as const

export type Protocol = (typeof PROTOCOLS)[number]

/** The blocks of a registration: one for each commerce protocol, and two that are no values of `protocols`. */
export const BLOCKS = [...PROTOCOLS, 'mcp', 'names'] as const

export type Block = (typeof BLOCKS)[number]

/** The currency of amounts that are stated without one. Spec: Commerce protocol declarations, multi-protocol merge. */
export const DEFAULT_CURRENCY = 'USD'

/** What one declaration states about the boundary; anything else is absent. */
export type ProtocolPrefill = {
  /** The spend cap, in whole units of the declaration's own currency. */
  readonly spendMax?: number | undefined
  /** Upper-case code. */
  readonly currency?: string | undefined
  readonly jurisdictions?: readonly string[]
  readonly categories?: readonly string[]
  /** Host names and `merchant:<id>`; undefined for a URL without a host name. */
  readonly counterparties?: readonly (string | undefined)[]
  readonly allowsSubAgents?: boolean | undefined
}

/** One protocol: the schema of its block, and what the block states about the boundary. */
export type CommerceProtocol<Declaration extends z.ZodObject = z.ZodObject> = {
  readonly declaration: Declaration
  readonly prefill: (block: z.output<Declaration>) => ProtocolPrefill
}
