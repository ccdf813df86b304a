import type { AccessLevel, Recommendation } from '../access/decision.ts'
import type { IdentityProof } from '../access/identityProof.ts'

/** Media type of a receipt, the `typ` of its header; no other token of the service has it. Source: RFC 8725 §3.11. */
export const RECEIPT_TYPE = 'svc-verdict+jwt'

/** The one algorithm of receipts and of their status lists: Ed25519. Source: RFC 8037 §3.1. */
export const RECEIPT_ALGORITHM = 'EdDSA'

/** A receipt refers to the status list by URL: this path below the issuer, and the number of the list. */
export const STATUS_LIST_PATH = '/.well-known/status/'

/** However long a session may be: what may be withdrawn has to be published until the receipt expires. */
export const RECEIPT_SECONDS_MAX = 86_400

/** How many receipts one status list covers; a power of two, so that a list is 16 KiB before compression. */
export const STATUS_LIST_SIZE = 131_072

/** How many further requests a gateway answers with one grant; then it asks the service again. */
export const GRANT_USES_MAX = 10_000

/**
 * The longest signed text of a report, in bytes of JSON, so that a hundred uses fit into one body. Longer ones are reported
 * without it.
 */
export const SIGNATURE_BASE_MAX = 1_536

/** Where the status of a token is published. Source: draft-ietf-oauth-status-list "Referenced Token in JOSE". */
export type StatusReference = { readonly idx: number; readonly uri: string }

/**
 * The claims of a receipt: one verdict of verify-access, as its issuer signed it. It holds nothing of the agent's mandate.
 *
 * Source: RFC 7519 §4.1; docs/receipts.md.
 */
export type ReceiptClaims = {
  /** `PUBLIC_URL` of the service that decided. */
  readonly iss: string
  /** `SVC-…`, the agent. */
  readonly sub: string
  /** `SVCE-…`, the endpoint. */
  readonly aud: string
  /** The audit record of the decision. */
  readonly jti: string
  readonly recommendation: Recommendation
  readonly accessLevel: AccessLevel
  /** What the counterparty stated about the request; members that it left out are absent. */
  readonly purpose?: string
  readonly action?: string
  readonly resource?: string
  readonly value?: number
  readonly currency?: string
  readonly identityProof: IdentityProof
  readonly sessionId?: string
  /** Seconds since the epoch. */
  readonly iat: number
  /** End of the requested session, at most a day after `iat`; a few minutes after it if no length was requested. */
  readonly exp: number
  /** The thumbprint of the key that signed the request. Source: RFC 7638; RFC 9449 §6.1. */
  readonly cnf?: { readonly jkt: string }
  /** Present if the verdict is a grant: only a grant can be withdrawn. */
  readonly status?: { readonly status_list: StatusReference }
}
