import { describeRestrictions } from '@svc/core/access/describeRestrictions.ts'
import { warnOfMisspelt } from '@svc/core/access/findMisspeltMembers.ts'
import { intersectPolicies } from '@svc/core/access/intersectPolicies.ts'
import { recommendToken } from '@svc/core/access/recommendToken.ts'
import type { RegisteredAnswer } from '@svc/core/contract/verification.ts'
import type { LinkFailures } from './linkFailures.ts'
import { isForOwner } from './parties/relateOwners.ts'
import type { NeededChallenge, RegisteredInput, RegisteredOutcome } from './verificationDeps.ts'

/**
 * Builds the answer about a registered agent for the caller.
 *
 * Only a caller that acts for the agent's owner sees limits: restrictions, the applied policy and guidance from both
 * boundaries. Any other caller that requests guidance gets what its own endpoint's policy says.
 *
 * Source: `Spec: Verification response`, Visibility.
 */
export function buildRegisteredAnswer(
  { linkFailures }: { linkFailures: LinkFailures },
  input: RegisteredInput,
  outcome: RegisteredOutcome,
  challenge: NeededChallenge | null,
): RegisteredAnswer {
  const { agent } = input
  const { decision } = outcome
  const isOwner = isForOwner(input)
  const access = linkFailures(decision.access)
  return {
    success: true,
    access: isOwner ? { ...access, ...buildOwnerDetails(input) } : access,
    recommendation: decision.recommendation,
    recommendationReasons: decision.recommendationReasons,
    agent: {
      svcId: agent.svcId,
      name: agent.name,
      trustScore: outcome.trustScore,
      agentStatus: agent.status,
      blockchainStatus: agent.blockchainStatus,
      runtimeChallengeSupported: agent.challengeUrl !== null,
    },
    identityProof: outcome.identityProof,
    sessionId: outcome.sessionId ?? undefined,
    tokenGuidance: buildGuidance(input, outcome, isOwner),
    runtimeChallenge: challenge === null || challenge === 'withheld' ? undefined : challenge,
    stepUpApproval: outcome.stepUpApproval ?? undefined,
    auditRecordId: outcome.auditRecordId ?? undefined,
    receipt: outcome.receipt ?? undefined,
    warnings: warnOfMisspelt(input.request.misspelt),
    mandate: describeMandate(outcome),
  }
}

/** A mandate that does not cover the request shows as a failure. */
function describeMandate({ decision, mandate }: RegisteredOutcome): RegisteredAnswer['mandate'] {
  if (mandate === undefined || decision.recommendation === 'deny') return undefined
  const { protocol, isSigned, isHolderProven = false } = mandate
  return { protocol, isSigned, isHolderProven }
}

function buildOwnerDetails({ agent, resolved }: RegisteredInput) {
  const own = agent.facts.policy.pdlss
  const theirs = resolved.endpoint.facts.policy.pdlss
  return { restrictions: describeRestrictions(own, theirs), appliedPolicy: intersectPolicies(own, theirs) }
}

function buildGuidance(
  input: RegisteredInput,
  outcome: RegisteredOutcome,
  isOwner: boolean,
): RegisteredAnswer['tokenGuidance'] {
  if (!isOwner && !input.request.includeTokenGuidance) return undefined
  const { decision } = outcome
  return recommendToken({
    endpoint: input.resolved.endpoint.facts.policy.pdlss,
    agent: isOwner ? input.agent.facts.policy.pdlss : undefined,
    accessLevel: decision.access.accessLevel,
    sessionSeconds: decision.sessionSeconds,
  })
}
