import { findCheckpointFault } from './findCheckpointFault.ts'
import { findClaimFault } from './findClaimFault.ts'
import type { AuditChain } from './openAuditChain.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import type { ReadDocument } from './readDocuments.ts'
import { type Verdict, verifyDocument } from './verifyDocument.ts'

/**
 * What the chain says about a document that was read, and whether what stands beside the proof fits the entry.
 *
 * With a key, a checkpoint has to be signed with it; a document in JSON has none, and needs none.
 */
export async function verifyReadDocument(
  chain: AuditChain,
  read: ReadDocument,
  logKey: VerifierKey | null,
  options: { asksContract?: boolean } = {},
): Promise<Verdict> {
  if (read.document === null) return { ok: false, reason: read.fault ?? 'there is no document' }
  const unsigned = read.checkpoint === null ? null : findCheckpointFault(read.checkpoint, chain.logId, logKey)
  if (unsigned !== null) return { ok: false, reason: unsigned }
  const verdict = await verifyDocument(chain, read.document, options)
  if (!verdict.ok) return verdict
  const fault = findClaimFault(read.claims, verdict.entry)
  return fault === null ? verdict : { ok: false, reason: fault }
}
