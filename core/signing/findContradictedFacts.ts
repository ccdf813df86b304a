import { readPurpose } from '../access/readPurpose.ts'
import type { VerificationRequest } from '../access/verificationRequest.ts'
import { compareDecimals } from '../decimal.ts'
import { decodeResource } from '../glob/decodeResource.ts'
import { readSha256Digest } from './contentDigest.ts'
import { INTENT_FACTS, type IntentClaims, type IntentFact } from './intentClaims.ts'

/** The facts that a counterparty states of a request, normalised. */
type StatedFacts = Pick<
  VerificationRequest,
  | 'category'
  | 'action'
  | 'resource'
  | 'plainResource'
  | 'transactionValue'
  | 'currency'
  | 'sessionDuration'
  | 'attemptId'
>

type Comparison = (claims: IntentClaims, request: StatedFacts, contentDigest: string | undefined) => boolean

const CONTRADICTS: Readonly<Record<IntentFact, Comparison>> = {
  purpose: ({ purpose, action }, request) =>
    purpose !== undefined &&
    (differs(readName(purpose, action).category, request.category) ||
      (action === undefined && differs(readName(purpose, action).action, request.action))),
  action: ({ purpose, action }, request) =>
    action !== undefined &&
    (differs(readName(purpose, action).action, request.action) ||
      (purpose === undefined && differs(readName(purpose, action).category, request.category))),
  resource: ({ resource }, request) =>
    resource !== undefined &&
    resource !== request.resource &&
    !isSameResource(resource, request.plainResource),
  amount: ({ amount }, { transactionValue }) =>
    amount !== undefined &&
    (transactionValue === undefined || compareDecimals(amount, transactionValue) !== 0),
  currency: ({ currency }, request) => differs(currency?.toUpperCase(), request.currency),
  sessionDuration: ({ sessionDuration }, request) => differs(sessionDuration, request.sessionDuration),
  attemptId: ({ attemptId }, request) => differs(attemptId?.toLowerCase(), request.attemptId),
  bodyHash: ({ bodyHash }, _request, contentDigest) =>
    bodyHash !== undefined && contentDigest !== undefined && !isSameDigest(bodyHash, contentDigest),
}

/**
 * Returns the facts that an agent committed to and that the counterparty states otherwise, in the order of `INTENT_FACTS`.
 *
 * A fact that the counterparty leaves out counts as stated otherwise. Only the hash of the body is not compared if the
 * counterparty hands over no digest, because it may not have the bytes. Names are compared as policies compare them and
 * amounts as decimals. A purpose without an action leaves the action open.
 *
 * @param claims From `parseIntentClaims`.
 * @param contentDigest The digest of the body that the counterparty received, as in `Content-Digest`.
 */
export function findContradictedFacts(
  claims: IntentClaims,
  request: StatedFacts,
  contentDigest: string | undefined,
): IntentFact[] {
  return INTENT_FACTS.filter((fact) => CONTRADICTS[fact](claims, request, contentDigest))
}

/** No request can state two categories, so a purpose and an action that name two match nothing. */
function readName(purpose: string | undefined, action: string | undefined) {
  return readPurpose(purpose, action) ?? { category: null, action: null }
}

function differs(committed: unknown, stated: unknown): boolean {
  return committed !== undefined && committed !== stated
}

function isSameResource(committed: string, plainResource: string | undefined): boolean {
  return plainResource !== undefined && decodeResource(committed) === plainResource
}

function isSameDigest(committed: string, stated: string): boolean {
  const digest = readSha256Digest(committed)
  return digest !== undefined && digest === readSha256Digest(stated)
}
