import { hashInputs } from '@svc/core/audit/hashInputs.ts'
import { checkProofDocument, type ProofDocument, proofDocument } from '@svc/core/audit/proofDocument.ts'
import { writeJsonLine } from '@svc/core/json.ts'
import { hashReceipt } from '@svc/core/receipt/hashReceipt.ts'
import type { ArchivedRecord } from '../../store/audit/archiveStore.ts'

type Archived = Omit<ArchivedRecord, 'seq' | 'entry' | 'recordId'>

/**
 * Lines of an archive: a proof document, as in an export, with everything that the log stored about its record.
 *
 * The auditor's tool therefore checks an archive like an export, and anyone with the salt can show that the inputs match
 * the commitment in the entry.
 */
export const archiveLine = {
  write(record: ArchivedRecord, proof: ProofDocument): string {
    const { seq: _ofAllLogs, recordId, entry: _inTheProof, ...archived } = record
    return writeJsonLine({ ...proof, seq: proof.index, recordId, archived })
  },

  /** Explains why a line is not that of a record at its index under this root; null if it does. */
  fault(line: string, { index, root }: { index: number; root: string }): string | null {
    const value = JSON.parse(line) as { seq: number; recordId: string; archived: Archived }
    const document = proofDocument.parse(value)
    const checked = checkProofDocument(document)
    if (!checked.ok) return checked.reason
    if (value.seq !== index || document.index !== index) return `it is record ${value.seq}, not ${index}`
    if (document.root !== root) return `it is proven under the root ${document.root}, not ${root}`
    const { inputs, inputsSalt, receipt } = value.archived
    const { erased, removed } = JSON.parse(value.archived.eventData) as Record<string, unknown>
    // Its inputs were removed before, by an erasure or by retention; a receipt only by an erasure.
    const hasInputs = inputs !== '' || inputsSalt !== '' || (erased !== true && removed !== true)
    if (hasInputs && hashInputs(inputsSalt, inputs) !== checked.entry.inputsHash) {
      return 'its inputs are not those that its entry commits to'
    }
    const hasReceipt = receipt !== '' || erased !== true
    if (hasReceipt && hashOf(receipt) !== (checked.entry.receiptHash ?? null)) {
      return 'its receipt is not the one that its entry commits to'
    }
    return value.recordId === checked.entry.recordId
      ? null
      : `its entry is of record ${checked.entry.recordId}`
  },
}

function hashOf(receipt: string | undefined): string | null {
  return receipt === undefined ? null : hashReceipt(receipt)
}
