import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { readReceiptClaims } from '@svc/core/receipt/readReceiptClaims.ts'
import { RECEIPT_SECONDS_MAX } from '@svc/core/receipt/receipt.ts'
import { isReceiptSignedBy } from './isReceiptSignedBy.ts'
import type { Issuer } from './readIssuer.ts'

/**
 * Finds what is wrong with a receipt by itself; null if nothing is. It must not be valid for longer than any receipt is, and
 * if the auditor names the issuer, it must be that issuer's, signed by the key that it names. Of a key that the issuer does
 * not publish nothing is known: it publishes former ones for two days only.
 *
 * Source: docs/receipts.md.
 */
export function findIssuerFault(receipt: string, issuer: Issuer | null): string | null {
  const jws = parseCompactJws(receipt)
  const claims = jws && readReceiptClaims(jws.payload)
  if (claims === null) return 'the receipt is malformed'
  const { iss, iat, exp } = claims
  if (exp < iat || exp - iat > RECEIPT_SECONDS_MAX)
    return `the receipt is valid for ${exp - iat} seconds, and no receipt is for more than ${RECEIPT_SECONDS_MAX}`
  if (issuer === null) return null
  if (issuer.url !== null && iss !== issuer.url) return `the receipt is of ${iss}, not of ${issuer.url}`
  if (!hasKey(issuer, jws?.header.kid)) return null
  const isSigned = issuer.keys.some((key) => isReceiptSignedBy(receipt, key))
  return isSigned ? null : `the receipt is not signed by the key that it names of ${issuer.source}`
}

/** Whether a key with this id is among those of the issuer that the auditor named. */
export function hasKey({ keys }: Issuer, kid: unknown): boolean {
  return keys.some((key) => key.kid === kid)
}
