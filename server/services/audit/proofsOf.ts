import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { assembleProof, planInclusionProof } from '@svc/core/audit/proofPlan.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { type ReadNodesDeps, readNodes } from './readNodes.ts'
import type { Anchor } from './sealBatch.ts'

/**
 * Builds the proof documents of records of a log in the anchor's batch, in their order.
 *
 * One query reads all nodes, most of which neighbouring records share. Source: docs/auditing.md.
 */
export async function proofsOf(
  deps: ReadNodesDeps,
  { batch, deployment }: Anchor,
  records: readonly { index: number; entry: string }[],
): Promise<ProofDocument[]> {
  const plans = records.map(({ index }) => planInclusionProof(index, batch.newSize))
  const addresses = new Map(plans.flat(2).map((address) => [`${address.level}/${address.index}`, address]))
  const hashes = assembleProof(plans.flat(), await readNodes(deps, [...addresses.values()]))
  let taken = 0
  return records.map(({ index, entry }, i) => {
    const from = taken
    taken += plans[i]?.length ?? 0
    return {
      entry: Buffer.from(entry, 'utf8').toString('base64'),
      leafHash: encodeHex(hashLeaf(entry)),
      index,
      treeSize: batch.newSize,
      inclusionProof: hashes.slice(from, taken).map(encodeHex),
      root: batch.root,
      batch: batch.number,
      logId: deployment.logId,
      chainId: deployment.chainId,
      contract: deployment.auditLog,
      transactionHash: batch.transactionHash,
      blockNumber: batch.blockNumber,
    }
  })
}
