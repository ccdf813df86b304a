import type { Recommendation } from '@svc/core/access/decision.ts'
import { readReceiptClaims } from '@svc/core/receipt/readReceiptClaims.ts'
import { RECEIPT_TYPE, type ReceiptClaims } from '@svc/core/receipt/receipt.ts'
import type { IssuerKeys } from './createIssuerKeys.ts'
import type { StatusListCache } from './createStatusListCache.ts'
import { type IssuerTokenFault, issuerToken } from './issuerToken.ts'

/** Why a receipt is refused. */
export type ReceiptFault =
  | IssuerTokenFault
  | 'other_issuer'
  | 'other_audience'
  | 'other_agent'
  | 'other_key'
  | 'not_yet_valid'
  | 'expired'
  | 'not_granted'
  | 'withdrawn'
  | 'status_unavailable'

/** Whether a receipt holds, with its claims, and if not, why. */
export type ReceiptVerdict =
  | { ok: true; reason: null; claims: ReceiptClaims }
  | { ok: false; reason: ReceiptFault; claims: null }

/** What a receipt is checked against. */
export type ReceiptCheck = {
  /** `PUBLIC_URL` of the service whose receipts count. */
  issuer: string
  /** Its keys, from `createIssuerKeys`, which is called once. */
  keys: IssuerKeys
  /** The endpoint that the receipt must be for: `SVCE-…`, or several. */
  audience: string | readonly string[]
  /** The agent that the receipt must be about, if it is known. */
  agentId?: string | undefined
  /** The thumbprint of the key that the caller has just proven to hold: the verdict must be about a request by that key. */
  keyThumbprint?: string | undefined
  /** The verdicts that count; default only `grant`. */
  accept?: readonly Recommendation[] | undefined
  /** Refuses withdrawn grants, and those whose status cannot be had; without it, a grant counts until it expires. */
  statusLists?: StatusListCache | undefined
  /** How far the clocks may differ; default 30. */
  skewSeconds?: number | undefined
  /** Epoch milliseconds; default the clock. */
  now?: number | undefined
}

const SKEW_SECONDS_DEFAULT = 30
const ACCEPT_DEFAULT: readonly Recommendation[] = ['grant']

/**
 * Checks a receipt of verify-access: that the service issued it, for this endpoint, and that it is a grant which is still
 * valid. It needs no request to the service, except for keys and status lists now and then, and never rejects.
 *
 * It runs in any runtime with Web Crypto.
 *
 * @param receipt As received; anything that is not a receipt is refused.
 * Source: RFC 7515; RFC 8725; docs/receipts.md.
 */
export async function verifyReceipt(receipt: unknown, check: ReceiptCheck): Promise<ReceiptVerdict> {
  const now = check.now ?? Date.now()
  const parsed = issuerToken.parse(receipt, RECEIPT_TYPE)
  if (!parsed.ok) return refuse(parsed.reason)
  const claims = readReceiptClaims(parsed.token.payload)
  if (claims === null) return refuse('malformed')
  const fault =
    findClaimFault(claims, check, now) ?? (await issuerToken.findSignatureFault(parsed, check.keys))
  if (fault !== null) return refuse(fault)
  const { statusLists } = check
  if (statusLists !== undefined && claims.recommendation === 'grant') {
    const status = await statusLists.read(claims.status?.status_list, now)
    if (status !== 'valid') return refuse(status === 'withdrawn' ? 'withdrawn' : 'status_unavailable')
  }
  return { ok: true, reason: null, claims }
}

function refuse(reason: ReceiptFault): ReceiptVerdict {
  return { ok: false, reason, claims: null }
}

function findClaimFault(claims: ReceiptClaims, check: ReceiptCheck, now: number): ReceiptFault | null {
  const { audience, agentId, keyThumbprint, accept = ACCEPT_DEFAULT } = check
  const skewMs = (check.skewSeconds ?? SKEW_SECONDS_DEFAULT) * 1000
  if (claims.iss !== check.issuer) return 'other_issuer'
  // JavaScript callers pass an environment variable that is not set.
  const audiences = typeof audience === 'string' ? [audience] : (audience ?? [])
  if (!audiences.includes(claims.aud)) return 'other_audience'
  if (agentId !== undefined && claims.sub !== agentId) return 'other_agent'
  if (keyThumbprint !== undefined && claims.cnf?.jkt !== keyThumbprint) return 'other_key'
  // With a time or a difference that is NaN, no comparison holds, and so no receipt may.
  if (!(claims.iat * 1000 <= now + skewMs)) return 'not_yet_valid'
  if (!(claims.exp * 1000 + skewMs > now)) return 'expired'
  return accept.includes(claims.recommendation) ? null : 'not_granted'
}
