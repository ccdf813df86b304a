import { isJsonObject } from '@svc/core/json.ts'
import { findCheckpointFault } from './findCheckpointFault.ts'
import { type Claims, findClaimFault } from './findClaimFault.ts'
import { findIssuerFault } from './findIssuerFault.ts'
import { namedLogOf } from './findProofLogFault.ts'
import type { AuditChain } from './openAuditChain.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import type { ReadDocument } from './readDocuments.ts'
import type { Issuer } from './readIssuer.ts'
import { type Verdict, verifyDocument } from './verifyDocument.ts'

type Options = {
  asksContract?: boolean
  /** Who must have issued a receipt; null or nothing does not check that. */
  issuer?: Issuer | null
}

/**
 * Checks a document against the chain, and the members next to its proof against the entry.
 *
 * If a key is given, a checkpoint must be signed with it; a JSON document has no checkpoint and needs no signature.
 */
export async function verifyReadDocument(
  chain: AuditChain,
  read: ReadDocument,
  logKey: VerifierKey | null,
  { issuer = null, ...options }: Options = {},
): Promise<Verdict> {
  if (read.document === null) return { ok: false, reason: read.fault ?? 'there is no document' }
  const unsigned =
    read.checkpoint === null ? null : findCheckpointFault(read.checkpoint, namedLogOf(chain), logKey)
  if (unsigned !== null) return { ok: false, reason: unsigned }
  const verdict = await verifyDocument(chain, read.document, options)
  if (!verdict.ok) return verdict
  const receipt = receiptOf(read.claims)
  const fault =
    findClaimFault(read.claims, verdict) ?? (receipt === null ? null : findIssuerFault(receipt, issuer))
  return fault === null ? verdict : { ok: false, reason: fault }
}

/** The receipt next to a proof, or in an archived record; null without one. */
export function receiptOf({ receipt, archived }: Claims): string | null {
  if (typeof receipt === 'string') return receipt
  const stored = isJsonObject(archived) ? archived.receipt : null
  return typeof stored === 'string' && stored !== '' ? stored : null
}
