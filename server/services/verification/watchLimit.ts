import type { Decision } from '@svc/core/access/decision.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { SharedLimitWatch } from './createSharedLimitWatch.ts'
import { isForOwner } from './relateOwners.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'
import type { Probing, WarnOfProbing } from './warnOfProbing.ts'

export type WatchLimitDeps = { limitWatch: Pick<SharedLimitWatch, 'note'>; warnOfProbing: WarnOfProbing }

type WatchedRequest = {
  agent: Pick<VerifiableAgent, 'facts'>
  request: Pick<VerificationRequest, 'transactionValue' | 'dryRun'>
  resolved: Pick<Probing, 'endpoint'>
  counterpartyId: string
}

/**
 * Watches whether an account, or several together, search for the Hard Limit of an agent, and warns the owner if so.
 *
 * Owners may try their own agents, a dry run tells no dimension, and an amount in a currency that the mandate excludes is
 * not denied for its size.
 */
export function watchLimit(
  { limitWatch, warnOfProbing }: WatchLimitDeps,
  input: Omit<Probing, 'endpoint' | 'areSeveral'> & Parameters<typeof isForOwner>[0] & WatchedRequest,
  { decision }: { decision: Pick<Decision, 'access'> },
): void {
  const { agent, request, resolved, counterpartyId, now } = input
  const { transactionValue: amount, dryRun } = request
  if (amount === undefined || dryRun || isForOwner(input)) return
  const failures = decision.access.failures ?? []
  const isOver =
    amount >= agent.facts.policy.limits.hardLimit &&
    failures.some(({ dimension }) => dimension === 'pdlss.limits')
  const { endpoint } = resolved
  const answer = { agentId: agent.svcId, accountId: counterpartyId, amount, isOver, at: now }
  limitWatch.note(answer, (searcher) =>
    warnOfProbing({ agent, endpoint, areSeveral: searcher === 'several', now }),
  )
}
