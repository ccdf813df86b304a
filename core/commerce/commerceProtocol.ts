import type { z } from 'zod'

/** What one declaration says of the boundary; what it does not say is absent. */
export type ProtocolPrefill = {
  /** The spend cap, in the declaration's own currency. */
  readonly spendMax?: number | undefined
  /** Upper-case code. */
  readonly currency?: string | undefined
  readonly jurisdictions?: readonly string[]
  readonly categories?: readonly string[]
  /** Host names and `merchant:<id>`; an address without a host name gives undefined. */
  readonly counterparties?: readonly (string | undefined)[]
  readonly allowsSubAgents?: boolean | undefined
}

/** One protocol: what its block holds, and what the block says of the boundary. */
export type CommerceProtocol<Declaration extends z.ZodObject = z.ZodObject> = {
  readonly declaration: Declaration
  readonly prefill: (block: z.output<Declaration>) => ProtocolPrefill
}
