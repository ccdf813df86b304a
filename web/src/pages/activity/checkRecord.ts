import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { findEntryDifference } from '@svc/core/audit/findEntryDifference.ts'
import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import type { AuditRecord } from '@svc/core/contract/audit.ts'
import { callApi } from '../../api/callApi.ts'

/** A claim and whether it is true. */
type Check = { claim: string; holds: boolean; detail?: string }

/** A proof and the results of checking it. */
export type CheckedRecord = {
  proof: ProofDocument
  /** What the proven bytes say; null if nothing is proven. */
  entry: AuditEntryFields | null
  checks: Check[]
  /** A node that anyone may ask; null if the operator publishes none. */
  publicRpcUrl: string | null
}

/**
 * Fetches the proof of a record and checks it in the browser, with the same code as an auditor.
 *
 * Recomputes leaf and root from the bytes of the entry and compares the root with that of the anchored batch. Whether the
 * chain really contains that root, only a node can confirm (`readAnchor`).
 *
 * @param record The record as shown to a party of the event; null if only the proof may be seen. The event shown must match
 *   the entry, because only the entry is proven.
 * @throws ApiFailure, such as `NOT_ANCHORED_YET`.
 *
 * Source: docs/auditing.md.
 */
export async function checkRecord(recordId: string, record: AuditRecord | null): Promise<CheckedRecord> {
  const proof = await callApi('GET /api/audit/records/:id/proof', { params: { id: recordId } })
  const [{ checkProofDocument }, chain] = await Promise.all([
    import('@svc/core/audit/proofDocument.ts'),
    callApi('GET /api/chain'),
  ])
  // During an upgrade, a process of an earlier release may answer, which names only its one log.
  const logIds: readonly string[] = chain.logIds ?? [chain.logId]
  const log = Math.max(0, logIds.indexOf(proof.logId))
  const { batch } = await callApi('GET /api/audit/batches/:number', {
    params: { number: proof.batch },
    query: { log },
  })
  const checked = checkProofDocument(proof)
  const isThisRecord = checked.ok && checked.entry.recordId === recordId
  const difference = checked.ok && record !== null ? findEntryDifference(record.event, checked.entry) : null
  return {
    proof,
    entry: checked.ok ? checked.entry : null,
    publicRpcUrl: chain.publicRpcUrl,
    checks: [
      {
        claim: `The inclusion proof of ${proof.inclusionProof.length} hashes leads from the entry to the root of the log`,
        holds: checked.ok,
        detail: checked.ok ? undefined : checked.reason,
      },
      {
        claim: record === null ? 'The entry is that of this record' : 'The entry matches this event',
        holds: isThisRecord && (record === null || record.entry === proof.entry) && difference === null,
        detail: difference ?? undefined,
      },
      {
        claim: `The root matches anchored batch #${proof.batch}`,
        holds:
          batch.root === proof.root &&
          batch.newSize === proof.treeSize &&
          batch.status === 'confirmed' &&
          batch.transactionHash === proof.transactionHash,
      },
      {
        claim: 'Contract, log and chain match this service',
        holds:
          chain.contracts.auditLog.toLowerCase() === proof.contract.toLowerCase() &&
          logIds.includes(proof.logId) &&
          chain.chainId === proof.chainId,
      },
    ],
  }
}
