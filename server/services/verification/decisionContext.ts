import type { AllowlistEntry } from '@svc/core/access/allowlist.ts'
import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import type { RequirableFact } from '@svc/core/access/facts.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'

/** The part of an agent or endpoint that decides but is too long for every record: stored once, identified by its hash. */
export type DecisionContext = {
  /** SHA-256 of the document, 64 hexadecimal digits. */
  hash: string
  /** Canonical JSON. */
  document: string
}

/** Omitted if they require nothing, so that the hashes of contexts from before these members stay the same. */
type Requirements = {
  requiredFacts?: readonly RequirableFact[]
  minIdentityProof?: IdentityProof | undefined
}

export type AgentContext = Requirements & {
  pdlss: Pdlss
  approvalRules: readonly ApprovalRule[]
  /** As in `AgentFacts`. Omitted if there is none, likewise. */
  ancestorMaxTransactionsPerHour?: readonly number[]
}

export type EndpointContext = Requirements & { pdlss: Pdlss; allowlist: readonly AllowlistEntry[] }

/** The agent's boundary with the caps of its ancestors, and its owner's approval rules and requirements. */
export function buildAgentContext({
  pdlss,
  approvalRules,
  ancestorMaxTransactionsPerHour: caps = [],
  ...required
}: AgentContext): DecisionContext {
  const inherited = caps.length > 0 ? { ancestorMaxTransactionsPerHour: caps } : {}
  return contextOf({ pdlss, approvalRules, ...inherited, ...statedRequirements(required) })
}

/** The endpoint's boundary, its allowlist and its requirements. */
export function buildEndpointContext({ pdlss, allowlist, ...required }: EndpointContext): DecisionContext {
  const entries = allowlist.map(({ allowedOwnerIdentifier, minTrustScore, allowedPurposes }) => ({
    allowedOwnerIdentifier,
    minTrustScore,
    allowedPurposes,
  }))
  return contextOf({ pdlss, allowlist: entries, ...statedRequirements(required) })
}

function statedRequirements({ requiredFacts = [], minIdentityProof = 'none' }: Requirements): Requirements {
  return {
    ...(requiredFacts.length > 0 ? { requiredFacts } : {}),
    ...(minIdentityProof === 'none' ? {} : { minIdentityProof }),
  }
}

function contextOf(context: object): DecisionContext {
  const document = canonicaliseJson(JSON.parse(JSON.stringify(context)))
  return { hash: sha256Hex(document), document }
}
