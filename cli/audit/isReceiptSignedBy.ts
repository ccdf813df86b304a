import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { isJsonObject } from '@svc/core/json.ts'
import { RECEIPT_ALGORITHM } from '@svc/core/receipt/receipt.ts'

/** Whether a public key, as a JWK, signed a receipt; false for anything that is no such key. Source: RFC 8037 §3.1. */
export function isReceiptSignedBy(receipt: string, key: unknown): boolean {
  const jws = parseCompactJws(receipt)
  if (jws?.algorithm !== RECEIPT_ALGORITHM || !isJsonObject(key) || key.kid !== jws.header.kid) return false
  try {
    const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
    return verify(null, Buffer.from(jws.signingInput), publicKey, jws.signature)
  } catch {
    return false
  }
}
