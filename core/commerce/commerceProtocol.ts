import type { z } from 'zod'

/** The commerce protocols an agent can declare. Spec: Agent, `protocols`. */
export const PROTOCOLS = ['a2a', 'acp', 'ap2', 'ucp', 'mpp', 'x402', 'vi', 'agentpay', 'tap'] as const

export type Protocol = (typeof PROTOCOLS)[number]

/** The blocks of a registration: one for each commerce protocol, and two that are no values of `protocols`. */
export const BLOCKS = [...PROTOCOLS, 'mcp', 'names'] as const

export type Block = (typeof BLOCKS)[number]

/** The currency of amounts that are stated without one. Spec: Commerce protocol declarations, multi-protocol merge. */
export const DEFAULT_CURRENCY = 'USD'

/** What one declaration states about limits and sub-agents; anything else is absent. */
export type LimitsPrefill = {
  /** The spend cap, in whole units of the declaration's own currency. */
  readonly spendMax?: number | undefined
  /** Upper-case code. */
  readonly currency?: string | undefined
  readonly allowsSubAgents?: boolean | undefined
}

/** What one declaration states about purposes, places and counterparties; anything else is absent. */
export type ListsPrefill = {
  readonly jurisdictions?: readonly string[]
  readonly categories?: readonly string[]
  /** Host names and `merchant:<id>`; undefined for a URL without a host name. */
  readonly counterparties?: readonly (string | undefined)[]
}

/** What one declaration states about the boundary. */
export type ProtocolPrefill = LimitsPrefill & ListsPrefill

/** One protocol: the schema of its block, what of it is confidential, and what it states about the boundary. */
export type CommerceProtocol<Declaration extends z.ZodObject = z.ZodObject> = {
  readonly declaration: Declaration
  /** Members that are as confidential as the boundary; only the owner sees them. */
  readonly confidential: readonly string[]
  /** What a block states about the boundary; nothing if the block is invalid. */
  readonly prefill: (block: unknown) => ProtocolPrefill
}
