import type { AllowlistEntry } from '@svc/core/access/allowlist.ts'
import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import type { RequirableFact } from '@svc/core/access/facts.ts'
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

export type AgentContext = { pdlss: Pdlss; approvalRules: readonly ApprovalRule[] }

export type EndpointContext = {
  pdlss: Pdlss
  allowlist: readonly AllowlistEntry[]
  /** Omitted if empty, so that the hashes of contexts from before this member stay the same. */
  requiredFacts?: readonly RequirableFact[]
}

/** The agent's boundary and its owner's approval rules. */
export function buildAgentContext({ pdlss, approvalRules }: AgentContext): DecisionContext {
  return contextOf({ pdlss, approvalRules })
}

/** The endpoint's boundary, its allowlist and what it requires requests to state. */
export function buildEndpointContext({
  pdlss,
  allowlist,
  requiredFacts = [],
}: EndpointContext): DecisionContext {
  const entries = allowlist.map(({ allowedOwnerIdentifier, minTrustScore, allowedPurposes }) => ({
    allowedOwnerIdentifier,
    minTrustScore,
    allowedPurposes,
  }))
  return contextOf({ pdlss, allowlist: entries, ...(requiredFacts.length > 0 ? { requiredFacts } : {}) })
}

function contextOf(context: object): DecisionContext {
  const document = canonicaliseJson(JSON.parse(JSON.stringify(context)))
  return { hash: sha256Hex(document), document }
}
