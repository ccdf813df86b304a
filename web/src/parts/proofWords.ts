import type { RequirableFact } from '@svc/core/access/facts.ts'
import { IDENTITY_PROOFS, type IdentityProof } from '@svc/core/access/identityProof.ts'

const PROOFS: Readonly<Record<IdentityProof, { name: string; effect: string }>> = {
  none: {
    name: 'Only named',
    effect: 'Whoever knows the agent’s identifier can name it.',
  },
  challenge: {
    name: 'Confirmed by the agent’s server',
    effect: 'The agent’s challenge URL confirmed this request.',
  },
  token: {
    name: 'Agent token',
    effect: 'The caller holds a token that the agent obtained for this counterparty.',
  },
  signature: {
    name: 'Signed request',
    effect: 'A key of the agent signed the request, or what it asks for.',
  },
}

/** What a request can prove of the agent's identity, weakest first. Source: docs/agents.md. */
export const PROOF_CHOICES = IDENTITY_PROOFS.map((value) => ({ value, ...PROOFS[value] }))

/** The display name of a proof; null if the value is none. */
export function nameProof(value: unknown): string | null {
  return PROOF_CHOICES.find((choice) => choice.value === value)?.name ?? null
}

/** Says whether a request proves who sends it, and how; null if the value is no grade. */
export function describeProof(value: unknown): string | null {
  const name = nameProof(value)
  if (name === null) return null
  return value === 'none' ? 'Not proven: only named' : `Proven: ${name.toLowerCase()}`
}

/** The display names of what a request can be required to state. */
export const FACT_NAMES: Readonly<Record<RequirableFact, string>> = {
  purpose: 'Purpose or action',
  resource: 'Resource',
  jurisdiction: 'Jurisdiction',
  currency: 'Currency of a value',
  sessionDuration: 'Length of the session',
}
