import { readSigningKey } from '../httpSignatures/readSigningKey.ts'
import type { ProofKey } from './proof.ts'

/** Imports the stored keys of an agent, revoked ones too, so that each verification only uses them. */
export async function importProofKeys(
  rows: readonly {
    kid: string
    jwk: Record<string, unknown>
    revokedAt: number | null
    provenAt?: number | null
  }[],
): Promise<ProofKey[]> {
  const keys = rows.map(async ({ kid, jwk, revokedAt, provenAt }) => {
    const key = await readSigningKey(jwk)
    return key === undefined
      ? []
      : [
          {
            kid,
            isRevoked: revokedAt !== null,
            isProven: typeof provenAt === 'number',
            alg: key.alg,
            verifies: key.verifies,
          },
        ]
  })
  return (await Promise.all(keys)).flat()
}
