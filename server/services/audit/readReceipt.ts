import type { ReceiptDocument } from '@svc/core/receipt/receiptDocument.ts'
import { apiError } from '../../errors.ts'
import type { ReceiptStore } from '../../store/receipts/receiptStore.ts'
import { type FindRecordDeps, findRecord, isParty } from './findRecord.ts'
import { type ReadProofDeps, readProof } from './readProof.ts'

export type ReadReceiptDeps = FindRecordDeps & {
  proofs: ReadProofDeps
  receipts: Pick<ReceiptStore, 'byRecordId'>
  /** The key that signed a receipt; undefined if it was lost. */
  issuerKeyOf(receipt: string): ReceiptDocument['issuerKey']
}

/**
 * Returns the receipt of a record with its proof, to a party: one document that proves the verdict without the service.
 *
 * @throws ApiError NOT_FOUND also for callers that are not a party, and if no receipt was issued; GONE if it was archived;
 * NOT_ANCHORED_YET while no confirmed batch contains the record. Source: docs/receipts.md.
 */
export async function readReceipt(
  deps: ReadReceiptDeps,
  { recordId, actsFor }: { recordId: string; actsFor: ReadonlySet<string> },
): Promise<ReceiptDocument> {
  const record = await findRecord(deps, recordId)
  if (!isParty(record, actsFor)) throw apiError('NOT_FOUND')
  const receipt = await deps.receipts.byRecordId(recordId)
  if (receipt === null) throw apiError('NOT_FOUND', { message: 'No receipt was issued for the record.' })
  if (receipt === '') throw apiError('GONE', { message: 'The receipt was archived or erased.' })
  return { receipt, issuerKey: deps.issuerKeyOf(receipt), ...(await readProof(deps.proofs, { recordId })) }
}
