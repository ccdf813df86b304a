import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { readReceiptClaims } from '@svc/core/receipt/readReceiptClaims.ts'
import type { AuditReport } from './createTextReport.ts'
import { hasKey } from './findIssuerFault.ts'
import type { Issuer } from './readIssuer.ts'

type Checked = {
  receipt: string
  /** The key that the document names, if it does. */
  issuerKey?: unknown
  issuer: Issuer | null
  /** The time of the newest block, which shows whether the receipt has expired. */
  newest: Date
}

/**
 * Reports what a receipt says, after it was found to be the one that its entry commits to, and who was found to have signed
 * it.
 */
export function reportReceipt({ receipt, issuerKey, issuer, newest }: Checked, report: AuditReport): void {
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
  const isExpired = claims.exp * 1000 <= newest.getTime()
  const state = isExpired ? 'expired by the newest block' : 'not expired by the newest block'
  report.fact('valid', `${formatSeconds(claims.iat)} to ${formatSeconds(claims.exp)}, ${state}`)
  if (claims.cnf !== undefined) report.fact('signed by', claims.cnf.jkt)
  report.passed('the entry commits to the receipt, and with it to every claim')
  const { kid } = jws.header
  const isKeyKnown = issuer !== null && hasKey(issuer, kid)
  if (isKeyKnown) report.passed(`the receipt is signed by the key ${kid}, one of those of ${issuer.source}`)
  else if (issuerKey !== undefined)
    report.passed(`the receipt is signed by the key ${kid}, which the document itself names`)
  if (issuer !== null && !isKeyKnown)
    report.notChecked(
      `whether the key ${kid} is one of ${iss}: ${issuer.source} does not have it, as former keys are published for two days only.`,
    )
  reportUnchecked({ issuer, iss, status: claims.status?.status_list.uri }, report)
}

function reportUnchecked(
  { issuer, iss, status }: { issuer: Issuer | null; iss: string; status: string | undefined },
  report: AuditReport,
): void {
  if (issuer === null)
    report.notChecked(`whether ${iss} issued the receipt: pass --issuer, or --issuer-keys.`)
  else if (issuer.url === null)
    report.notChecked(`whether the keys in ${issuer.source} are those of ${iss}: pass --issuer.`)
  if (status !== undefined) report.notChecked(`whether the grant was withdrawn later: ${status} shows it.`)
}

function formatSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
