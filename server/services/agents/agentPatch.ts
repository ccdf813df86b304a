import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'

/** Fields that never change after the registration. Source: `Spec: Errors` `pdlss_immutable`. */
export const IMMUTABLE_FIELDS = ['pdlss', 'model', 'framework', 'agentType', 'apiEndpoint'] as const

/**
 * A merge patch of an agent: a member that is absent stays, null takes it away.
 *
 * Source: RFC 7396; api.md "Agents".
 */
export type AgentPatch = {
  name?: string | undefined
  description?: string | null | undefined
  image?: string | null | undefined
  protocols?: Protocol[] | null | undefined
  /** Patches of the declared blocks; each is merged into the stored one. */
  declarations: Partial<Record<Protocol, Record<string, unknown> | null>>
  /** The immutable fields that were sent, as they came. */
  immutable: Partial<Record<(typeof IMMUTABLE_FIELDS)[number], unknown>>
}
