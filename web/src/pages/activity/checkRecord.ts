import { findEntryDifference } from '@svc/core/audit/findEntryDifference.ts'
import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { callApi } from '../../api/callApi.ts'
import type { AuditRecord, Batch, Chain } from '../../api/types.ts'

/** One thing that has to hold, and whether it does. */
type Check = { claim: string; holds: boolean; detail?: string }

/** A proof and what became of checking it. */
export type CheckedRecord = { proof: ProofDocument; checks: Check[] }

/**
 * Fetches the proof of a record and checks it here, with the code that an auditor would use.
 *
 * Leaf and root are computed from the bytes of the entry. The root is then compared with the one of the anchored
 * batch; that the chain itself holds that root, only a node can say, which the browser has none of.
 *
 * @param record The record as a party of the event got it; null when only the proof may be seen. What is shown of the
 *   event has to be what the entry says, since the proof is of the entry alone.
 * @throws ApiFailure, NOT_ANCHORED_YET among it.
 *
 * Source: onchain.md "What an auditor gets".
 */
export async function checkRecord(recordId: string, record: AuditRecord | null): Promise<CheckedRecord> {
  const proof = await callApi<ProofDocument>({
    method: 'GET',
    path: `/api/audit/records/${encodeURIComponent(recordId)}/proof`,
  })
  const [{ checkProofDocument }, { batch }, chain] = await Promise.all([
    import('@svc/core/audit/proofDocument.ts'),
    callApi<{ batch: Batch }>({ method: 'GET', path: `/api/audit/batches/${proof.batch}` }),
    callApi<Chain>({ method: 'GET', path: '/api/chain' }),
  ])
  const checked = checkProofDocument(proof)
  const isThisRecord = checked.ok && checked.entry.recordId === recordId
  const difference = checked.ok && record !== null ? findEntryDifference(record.event, checked.entry) : null
  return {
    proof,
    checks: [
      {
        claim: `The entry leads to the root of the log over ${proof.inclusionProof.length} sibling hashes`,
        holds: checked.ok,
        detail: checked.ok ? undefined : checked.reason,
      },
      {
        claim: 'The entry is the one of this event',
        holds: isThisRecord && (record === null || record.entry === proof.entry) && difference === null,
        detail: difference ?? undefined,
      },
      {
        claim: `That root is the one of anchored batch #${proof.batch}`,
        holds:
          batch.root === proof.root &&
          batch.newSize === proof.treeSize &&
          batch.status === 'confirmed' &&
          batch.transactionHash === proof.transactionHash,
      },
      {
        claim: 'Contract, log and chain are those of this service',
        holds:
          chain.contracts.auditLog.toLowerCase() === proof.contract.toLowerCase() &&
          chain.logId === proof.logId &&
          chain.chainId === proof.chainId,
      },
    ],
  }
}
