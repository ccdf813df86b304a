import { writeTlogProof } from '@svc/core/audit/tlogProof.ts'
import { type ReadProofDeps, readProof } from './readProof.ts'
import { type SignCheckpointDeps, signCheckpoint } from './signCheckpoint.ts'

export type ReadTlogProofDeps = { proofs: ReadProofDeps; checkpoints: SignCheckpointDeps }

/**
 * The proof of a record as C2SP `tlog-proof` text, under the checkpoint of the batch it is made against.
 *
 * @throws ApiError NOT_FOUND; NOT_ANCHORED_YET, as `readProof`.
 * Source: onchain.md "What an auditor gets".
 */
export async function readTlogProof(
  { proofs, checkpoints }: ReadTlogProofDeps,
  input: { recordId: string },
): Promise<string> {
  const proof = await readProof(proofs, input)
  const { logId, treeSize: size, root } = proof
  return writeTlogProof(proof, signCheckpoint(checkpoints, { logId, size, root }))
}
