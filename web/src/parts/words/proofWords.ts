import type { RequirableFact } from '@svc/core/access/facts.ts'
import type { ProofCause } from '@svc/core/access/failureCauses.ts'
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

/** Why a proof does not hold, after a colon. Source: docs/concepts/proof-of-identity.md. */
const FAULTS: Readonly<Record<ProofCause, string>> = {
  not_reported: 'the counterparty did not report everything that is signed, so nobody can check it',
  malformed: 'it does not have the form that the service accepts',
  not_covered: 'it does not cover all of the request',
  not_yet_valid: 'it was made in the future',
  long_lived: 'it would be valid for too long',
  expired: 'it had expired',
  replayed: 'it had been used before',
  unknown_key: 'its key is none of the agent’s',
  revoked_key: 'its key was revoked',
  holder_missing: 'the key that the token is bound to did not sign',
  wrong_agent: 'it is for another agent',
  wrong_endpoint: 'it is for another endpoint',
  altered: 'it does not match the request',
  contradicted: 'the counterparty states a fact differently from what was signed',
}

type ProvenEvent = Readonly<Record<string, unknown>>

/**
 * What an event says of the identity: the display name of the proof, or that something was presented that did not hold, and
 * why; null if it says nothing.
 */
export function summariseProof({ identityProof, wrongProof, causes }: ProvenEvent): string | null {
  if (wrongProof !== 'signature' && wrongProof !== 'token') return nameProof(identityProof)
  const told = String((causes as Readonly<Record<string, unknown>> | undefined)?.['agent.proof'])
  const fault = Object.hasOwn(FAULTS, told) ? FAULTS[told as ProofCause] : undefined
  const sentence =
    wrongProof === 'signature' ? 'Signed, but the proof did not hold' : 'Agent token, but it did not hold'
  return fault === undefined ? sentence : `${sentence}: ${fault}`
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
