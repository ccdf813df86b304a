import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { validationError } from '../../../errors.ts'
import type { AgentKeyDeps } from './agentKeyDeps.ts'

export type VerifyKeyProofsDeps = Pick<AgentKeyDeps, 'verifyKeyProof'> & { settings: { publicUrl: string } }

export type VerifyKeyProofsInput = {
  /** The keys that a new agent is to have. */
  keys: readonly AgentKey[]
  /** Compact JWSs, each by one of the keys, which its header names (`kid`). */
  keyProofs: readonly string[]
  /** What the proofs call the agent, which is known before it is stored. */
  agentName: string
  now: number
}

/**
 * Verifies which keys of a new agent are proven to be held by whoever registers it. A proof that does not hold is an error,
 * so that nobody takes an unproven key for a proven one.
 *
 * @returns The thumbprints of the proven keys. @throws ApiError VALIDATION_ERROR. Source: docs/decisions/0143.
 */
export async function verifyKeyProofs(
  { verifyKeyProof, settings }: VerifyKeyProofsDeps,
  { keys, keyProofs, agentName, now }: VerifyKeyProofsInput,
): Promise<ReadonlySet<string>> {
  const byKid = new Map(keys.map((key) => [computeKeyThumbprint(key), key]))
  const proven = new Set<string>()
  for (const [nth, proof] of keyProofs.entries()) {
    const kid = String(parseCompactJws(proof)?.header.kid)
    const key = byKid.get(kid)
    const claim = { proof, agentId: agentName, audience: settings.publicUrl, now }
    if (key === undefined || !(await verifyKeyProof({ ...claim, key }))) throw refuseProof(nth, agentName)
    proven.add(kid)
  }
  return proven
}

function refuseProof(nth: number, agentName: string) {
  const message = `is not a proof that one of the keys has signed for ${agentName} and this service, or it has expired`
  return validationError([{ pointer: `/keyProofs/${nth}`, code: 'invalid_proof', message }])
}
