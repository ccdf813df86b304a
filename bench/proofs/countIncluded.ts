import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { http } from 'viem'
import { auditLog } from '../../server/chain/artifacts/auditLog.ts'
import { createNodeClient } from '../../server/chain/createNodeClient.ts'

type Hex = `0x${string}`

/** Counts the proofs that the contract accepts against its head. */
export async function countIncluded(rpcUrl: string, documents: readonly ProofDocument[]): Promise<number> {
  const client = createNodeClient(http(rpcUrl))
  let included = 0
  for (const { contract, logId, leafHash, index, inclusionProof } of documents) {
    const isIncluded = await client.readContract({
      address: contract as Hex,
      abi: auditLog.abi,
      functionName: 'verifyInclusion',
      args: [logId as Hex, leafHash as Hex, BigInt(index), inclusionProof as Hex[]],
    })
    if (isIncluded) included += 1
  }
  return included
}
