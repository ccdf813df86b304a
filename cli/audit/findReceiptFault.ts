import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { isJsonObject } from '@svc/core/json.ts'
import { checkReceiptOfEntry } from '@svc/core/receipt/checkReceiptOfEntry.ts'

/**
 * Finds what is wrong with a receipt next to the proof of its record; null if the proven entry commits to it and, if a key
 * is named, that key signed it.
 */
export function findReceiptFault(
  { receipt, issuerKey }: { receipt: string; issuerKey?: unknown },
  entry: AuditEntryFields,
): string | null {
  const checked = checkReceiptOfEntry(receipt, entry)
  if (!checked.ok) return `the receipt does not match its entry: ${checked.reason}`
  if (issuerKey === undefined || isSignedBy(receipt, issuerKey)) return null
  return 'the receipt is not signed by the key that is named with it'
}

function isSignedBy(receipt: string, key: unknown): boolean {
  const jws = parseCompactJws(receipt)
  if (jws?.algorithm !== 'EdDSA' || !isJsonObject(key) || key.kid !== jws.header.kid) return false
  try {
    const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
    return verify(null, Buffer.from(jws.signingInput), publicKey, jws.signature)
  } catch {
    return false
  }
}
