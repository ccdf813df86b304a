import type { AuditChain } from './auditChain.ts'
import { checkpointFault } from './checkpointFault.ts'
import type { ReadDocument } from './readDocuments.ts'
import type { VerifierKey } from './verifierKeyOf.ts'
import { type Verdict, verifyDocument } from './verifyDocument.ts'

/**
 * What the chain says about a document that was read, and whether what stands beside the proof fits the entry.
 *
 * With a key, a checkpoint has to be signed with it; a document in JSON has none, and needs none.
 */
export async function verifyRead(
  chain: AuditChain,
  read: ReadDocument,
  logKey: VerifierKey | null,
): Promise<Verdict> {
  if (read.document === null) return { ok: false, reason: read.fault ?? 'there is no document' }
  const unsigned = read.checkpoint === null ? null : checkpointFault(read.checkpoint, chain.logId, logKey)
  if (unsigned !== null) return { ok: false, reason: unsigned }
  const verdict = await verifyDocument(chain, read.document)
  if (!verdict.ok) return verdict
  const { recordId, seq, eventType } = read.claims
  const { entry } = verdict
  if (recordId !== null && recordId !== entry.recordId) {
    return { ok: false, reason: `it proves record ${entry.recordId}, not ${recordId}` }
  }
  if (seq !== null && seq !== entry.seq) {
    return { ok: false, reason: `it proves record number ${entry.seq}, not ${seq}` }
  }
  if (eventType !== null && eventType !== entry.type) {
    return { ok: false, reason: `the entry says ${entry.type}, the record beside it ${eventType}` }
  }
  return verdict
}
