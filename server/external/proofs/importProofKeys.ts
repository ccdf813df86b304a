import { readSigningKey } from '../httpSignatures/readSigningKey.ts'
import type { ProofKey } from './proof.ts'

/** Imports the stored keys of an agent, revoked ones too, so that each verification only uses them. */
export async function importProofKeys(
  rows: readonly { kid: string; jwk: Record<string, unknown>; revokedAt: number | null }[],
): Promise<ProofKey[]> {
  const keys = rows.map(async ({ kid, jwk, revokedAt }) => {
    const key = await readSigningKey(jwk)
    return key === undefined
      ? []
      : [{ kid, isRevoked: revokedAt !== null, alg: key.alg, verifies: key.verifies }]
  })
  return (await Promise.all(keys)).flat()
}
