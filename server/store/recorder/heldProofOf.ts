import type { IdentityProof } from '@svc/core/access/identityProof.ts'

/**
 * Reads what a held request proved from the request that is stored with its approval; undefined in approvals from before
 * proofs.
 */
export function heldProofOf(request: string): IdentityProof | undefined {
  return (JSON.parse(request) as { identityProof?: IdentityProof }).identityProof
}
