import type { Decision } from '@svc/core/access/decision.ts'
import { APPROVAL_DIMENSIONS, type Dimension, SPEND_APPROVAL } from '@svc/core/access/findings.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { isForOwner } from '../parties/relateOwners.ts'
import type { VerifiableAgent } from '../parties/verifiableAgent.ts'
import type { Searcher } from './createLimitWatch.ts'
import type { SharedLimitWatch } from './createSharedLimitWatch.ts'
import type { Probing, WarnOfProbing } from './warnOfProbing.ts'

export type WatchLimitDeps = {
  /** Over the Hard Limit. */
  limitWatch: Pick<SharedLimitWatch, 'note'>
  /** Over the amount from which the owner is asked. */
  approvalWatch: Pick<SharedLimitWatch, 'note'>
  warnOfProbing: WarnOfProbing
}

type WatchedRequest = {
  agent: Pick<VerifiableAgent, 'facts'>
  request: Pick<VerificationRequest, 'transactionValue' | 'dryRun'>
  resolved: Pick<Probing, 'endpoint'>
  counterpartyId: string
}

const isApprovalDimension = (dimension: Dimension): boolean =>
  (APPROVAL_DIMENSIONS as readonly Dimension[]).includes(dimension)

type WatchedOutcome = {
  decision: Pick<Decision, 'access' | 'recommendation' | 'approvalDimensions'>
  identityProof: IdentityProof
}

/**
 * Watches whether an account, or several together, search for the Hard Limit of an agent or for the amount from which its
 * owner is asked, and warns the owner if so.
 *
 * A denial that lists what the owner would be asked tells as much as a held request. Requests that prove the agent and that
 * only the owner holds or denies do not count: the owner knows of each, and they are ordinary business.
 *
 * Owners may try their own agents, a dry run tells no dimension, and an amount in a currency that the mandate excludes is
 * not denied for its size.
 */
export function watchLimit(
  { limitWatch, approvalWatch, warnOfProbing }: WatchLimitDeps,
  input: Omit<Probing, 'endpoint' | 'areSeveral'> & Parameters<typeof isForOwner>[0] & WatchedRequest,
  { decision, identityProof }: WatchedOutcome,
): void {
  const { agent, request, resolved, counterpartyId, now } = input
  const { transactionValue: amount, dryRun } = request
  if (amount === undefined || dryRun || isForOwner(input)) return
  const failures = decision.access.failures ?? []
  const isOver =
    amount >= agent.facts.policy.limits.hardLimit &&
    failures.some(({ dimension }) => dimension === 'pdlss.limits')
  const { endpoint } = resolved
  const answer = { agentId: agent.svcId, accountId: counterpartyId, amount, at: now }
  const warn = (searcher: Searcher) =>
    warnOfProbing({ agent, endpoint, areSeveral: searcher === 'several', now })
  limitWatch.note({ ...answer, isOver }, warn)
  const { recommendation, approvalDimensions } = decision
  const isOwners = failures.length > 0 && failures.every(({ dimension }) => isApprovalDimension(dimension))
  if (isOver || (isOwners && identityProof !== 'none')) return
  const isAsked = recommendation !== 'grant' && approvalDimensions.includes(SPEND_APPROVAL)
  approvalWatch.note({ ...answer, isOver: isAsked }, warn)
}
