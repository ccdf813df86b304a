import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { readReceiptClaims } from '@svc/core/receipt/readReceiptClaims.ts'
import type { AuditReport } from './createTextReport.ts'

/** Reports what a receipt says, after it was found to be the one that its entry commits to. */
export function reportReceipt(receipt: string, hasKey: boolean, report: AuditReport): void {
  const jws = parseCompactJws(receipt)
  const claims = jws && readReceiptClaims(jws.payload)
  if (jws === null || claims === null) return
  const { iss, aud, recommendation, accessLevel, identityProof, purpose, action, resource, value, currency } =
    claims
  report.fact(
    'verdict',
    `${recommendation}, access level ${accessLevel}, identity proof ${identityProof}`,
    claims,
  )
  report.fact('issuer', iss)
  report.fact('for', aud)
  const request = [purpose, action, resource].filter((part) => part !== undefined).join(', ')
  if (request !== '') report.fact('request', request)
  if (value !== undefined) report.fact('value', `${value}${currency === undefined ? '' : ` ${currency}`}`)
  report.fact('valid', `${formatSeconds(claims.iat)} to ${formatSeconds(claims.exp)}`)
  if (claims.cnf !== undefined) report.fact('signed by', claims.cnf.jkt)
  report.passed('the entry commits to the receipt, and with it to every claim')
  if (hasKey)
    report.passed(`the receipt is signed by the key ${jws.header.kid}, which the document itself names`)
}

function formatSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
