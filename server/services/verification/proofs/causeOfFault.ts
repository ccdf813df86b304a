import type { ProofCause } from '@svc/core/access/failureCauses.ts'
import type { ProofFault } from '../../../external/proofs/proof.ts'

const CAUSES: Readonly<Record<ProofFault, ProofCause | undefined>> = {
  malformed: 'malformed',
  unaddressed: undefined,
  unsupported_component: 'malformed',
  other_purpose: 'malformed',
  no_nonce: 'malformed',
  other_algorithm: 'malformed',
  not_covered: 'not_covered',
  not_reported: 'not_reported',
  not_yet_valid: 'not_yet_valid',
  long_lived: 'long_lived',
  key_unknown: 'unknown_key',
  key_revoked: 'revoked_key',
  account_revoked: 'revoked_key',
  forged: 'altered',
  other_agent: 'wrong_agent',
  other_audience: 'wrong_endpoint',
  other_facts: 'contradicted',
  other_holder: 'holder_missing',
}

/** What the counterparty and the agent's owner are told of a fault; undefined if nothing. Source: docs/decisions/0158. */
export function causeOfFault(fault: ProofFault): ProofCause | undefined {
  return CAUSES[fault]
}
