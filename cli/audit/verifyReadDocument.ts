import { findCheckpointFault } from './findCheckpointFault.ts'
import { findClaimFault } from './findClaimFault.ts'
import type { AuditChain } from './openAuditChain.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import type { ReadDocument } from './readDocuments.ts'
import { type Verdict, verifyDocument } from './verifyDocument.ts'

/**
 * Checks a document against the chain, and the members next to its proof against the entry.
 *
 * If a key is given, a checkpoint must be signed with it; a JSON document has no checkpoint and needs no signature.
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
  const fault = findClaimFault(read.claims, verdict)
  return fault === null ? verdict : { ok: false, reason: fault }
}
