import type { EndpointFacts } from '@svc/core/access/facts.ts'

/** An endpoint as the hot path holds it, with its policy and allowlist compiled. */
export type VerifiableEndpoint = {
  /** Internal id, stable through discovery and claim; null for one that is not stored. */
  id: string | null
  /** Null before it is claimed. */
  svceId: string | null
  ownerId: string
  name: string | null
  counterpartyType: string | null
  url: string | null
  pdlssHash: `0x${string}` | null
  /** Names the kept text of boundary and allowlist; null for one that is not stored. */
  contextHash: string | null
  facts: EndpointFacts
}
