import type { Access, Recommendation } from '@svc/core/access/decision.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { CompiledPolicy } from '@svc/core/pdlss/compilePolicy.ts'
import {
  RECEIPT_SECONDS_MAX,
  RECEIPT_TYPE,
  type ReceiptClaims,
  STATUS_LIST_PATH,
  STATUS_LIST_SIZE,
} from '@svc/core/receipt/receipt.ts'
import type { ReceiptSigner } from '../../external/keys/receiptSigner.ts'
import type { IssuedReceipt } from '../../store/audit/newAuditRecord.ts'

export type IssueReceiptDeps = {
  signer: Pick<ReceiptSigner, 'sign'>
  /** The issuer. */
  publicUrl: string
}

/** A recorded decision, as its receipt states it. */
export type ReceiptFacts = {
  recordId: string
  agentId: string
  endpoint: { svceId: string | null; facts: { policy: CompiledPolicy } }
  request: Pick<
    VerificationRequest,
    'purpose' | 'action' | 'resource' | 'transactionValue' | 'currency' | 'sessionDuration'
  >
  decision: { recommendation: Recommendation; access: Pick<Access, 'accessLevel'> }
  identityProof: IdentityProof
  /** Thumbprint of the key that signed the request; undefined without such a signature. */
  keyThumbprint: string | undefined
  /** The Ethereum account on which its proof rests; undefined if it rests on none. */
  account: IssuedReceipt['account'] | undefined
  sessionId: string | null
  /** Position among all receipts that can be withdrawn, which no other receipt has. */
  statusIndex: number
  /** Epoch milliseconds. */
  now: number
}

/** The lifetime of a verdict about a request that states no length of its session, or is not granted. */
const SECONDS_DEFAULT = 300

/**
 * Issues the receipt of a decision. Synchronous, because it is called inside the transaction that records the decision.
 *
 * Source: docs/receipts.md.
 */
export function issueReceipt({ signer, publicUrl }: IssueReceiptDeps, facts: ReceiptFacts): IssuedReceipt {
  const { recordId, agentId, endpoint, request, decision, identityProof, keyThumbprint, now } = facts
  const isGranted = decision.recommendation === 'grant'
  const iat = Math.floor(now / 1000)
  const exp = iat + (isGranted ? lifeSecondsOf(facts) : SECONDS_DEFAULT)
  const statusIndex = isGranted ? facts.statusIndex : null
  const { purpose, action, resource, transactionValue, currency } = request
  const claims: ReceiptClaims = {
    iss: publicUrl,
    sub: agentId,
    aud: audienceOf(endpoint),
    jti: recordId,
    recommendation: decision.recommendation,
    accessLevel: decision.access.accessLevel,
    ...(purpose === undefined ? {} : { purpose }),
    ...(action === undefined ? {} : { action }),
    ...(resource === undefined ? {} : { resource }),
    ...(transactionValue === undefined ? {} : { value: transactionValue }),
    ...(currency === undefined ? {} : { currency }),
    identityProof,
    ...(facts.sessionId === null ? {} : { sessionId: facts.sessionId }),
    iat,
    exp,
    ...(keyThumbprint === undefined ? {} : { cnf: { jkt: keyThumbprint } }),
    ...(statusIndex === null ? {} : { status: { status_list: referTo(publicUrl, statusIndex) } }),
  }
  return {
    receipt: signer.sign(RECEIPT_TYPE, claims),
    agentId,
    statusIndex,
    keyThumbprint: keyThumbprint ?? null,
    account: facts.account ?? null,
    expiresAt: exp * 1000,
  }
}

/**
 * The requested length, which both boundaries allow. Without one, the agent's own maximum must not show, because it is part
 * of its mandate.
 */
function lifeSecondsOf({ request, endpoint }: ReceiptFacts): number {
  const { sessionSecondsMax } = endpoint.facts.policy.duration
  return Math.min(request.sessionDuration ?? SECONDS_DEFAULT, sessionSecondsMax, RECEIPT_SECONDS_MAX)
}

/** Several accounts can verify at a URL that nobody has claimed, so it says nothing about whom a receipt is for. */
function audienceOf({ svceId }: ReceiptFacts['endpoint']): string {
  if (svceId === null) throw new Error('a receipt is issued for an endpoint without an identifier')
  return svceId
}

function referTo(publicUrl: string, statusIndex: number) {
  const list = Math.floor(statusIndex / STATUS_LIST_SIZE)
  return { idx: statusIndex % STATUS_LIST_SIZE, uri: `${publicUrl}${STATUS_LIST_PATH}${list}` }
}
