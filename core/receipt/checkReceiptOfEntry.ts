import type { AuditEntryFields } from '../audit/auditEntry.ts'
import { parseCompactJws } from '../credentials/parseCompactJws.ts'
import { hashReceipt } from './hashReceipt.ts'
import { readReceiptClaims } from './readReceiptClaims.ts'
import { RECEIPT_TYPE, type ReceiptClaims } from './receipt.ts'

type Found = { ok: true; claims: ReceiptClaims } | { ok: false; reason: string }

/**
 * Checks that a receipt is the one to which an entry of the audit log commits.
 *
 * The hash binds every claim: also those that the entry does not contain, such as the purpose and the value. That the entry
 * itself is about the same decision is compared too, because an entry could commit to any hash. The signature is not needed
 * for this, and not verified.
 *
 * Source: docs/receipts.md.
 */
export function checkReceiptOfEntry(receipt: string, entry: AuditEntryFields): Found {
  const jws = parseCompactJws(receipt)
  const claims = jws?.header.typ === RECEIPT_TYPE ? readReceiptClaims(jws.payload) : null
  if (claims === null) return { ok: false, reason: 'it is not a receipt' }
  if (!entry.receiptHash) return { ok: false, reason: 'no receipt was issued for the record' }
  if (hashReceipt(receipt) !== entry.receiptHash)
    return { ok: false, reason: 'the entry commits to another receipt' }
  const pairs: [name: string, shown: unknown, recorded: unknown][] = [
    ['record', claims.jti, entry.recordId],
    ['agent', claims.sub, entry.agentId],
    ['recommendation', claims.recommendation, entry.decision],
    ['proof of identity', claims.identityProof, entry.identityProof ?? null],
    ['session', claims.sessionId ?? null, entry.sessionId ?? null],
    ['time', claims.iat, Math.floor(Date.parse(entry.time) / 1000)],
  ]
  const different = pairs.find(([, shown, recorded]) => shown !== recorded)
  if (different === undefined) return { ok: true, claims }
  const [name, shown, recorded] = different
  return { ok: false, reason: `its ${name} is ${shown}, but the entry says ${recorded}` }
}
