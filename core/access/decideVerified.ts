import {
  checkDuration,
  checkPurpose,
  checkScope,
  checkSelfInstantiation,
  checkSpend,
  findUnstatedPurposes,
  isForbiddenCounterparty,
} from './checkBoundaries.ts'
import {
  checkCertifications,
  checkCounterparty,
  checkPaymentMandate,
  checkProof,
  checkRequiredFacts,
  checkStanding,
  UNSTATED_OWN,
  UNSTATED_THERE,
} from './checkParties.ts'
import { type AccessLevel, DECISION_VERSION, type Decision, reachesLevel } from './decision.ts'
import type { VerifiedInput } from './facts.ts'
import type { FailureCauses } from './failureCauses.ts'
import {
  APPROVAL_FINDINGS,
  approvalDimensionsOf,
  BOUNDARY_FINDINGS,
  type Findings,
  findingOf,
  HARD_FINDINGS,
  NOTHING,
} from './findings.ts'
import { determineIdentityProof } from './identityProof.ts'
import {
  deny,
  denyByOwner,
  grant,
  holdForApproval,
  isApprovalSufficient,
  isStandingApprovalSufficient,
  provesWhatWasHeld,
  tellOutcomeOnly,
} from './outcomes.ts'

const ALLOWLIST = findingOf('counterparty.allowlist')
const TRUST = findingOf('trust.score')

/**
 * Decides on a request of a registered agent.
 *
 * Every dimension is checked, so that one decision lists every failure. A hard failure denies, whatever the owner approved.
 * Otherwise, where a dimension asks for approval, the request is denied if it proves less than when it was held or if the
 * owner denied it, granted if the approval at hand or a standing one is sufficient, and held for the owner if not. Pure,
 * synchronous and without exceptions, because it is called inside the recorder's transaction.
 *
 * Source: `Spec: POST /api/agents/verify-access`.
 */
export function decideVerified(input: VerifiedInput): Decision {
  const decision = decideInFull(input)
  return input.isForeignDryRun === true ? tellOutcomeOnly(decision) : decision
}

function decideInFull(input: VerifiedInput): Decision {
  const minScore = resolveRequiredScore(input)
  const level = resolveAccessLevel(input, minScore ?? input.endpoint.trustScoreRequirement)
  const isBelowAsked = !reachesLevel(level, input.request.minAccessLevel ?? 'none')
  const findings =
    checkStanding(input) |
    (level === 'none' || isBelowAsked ? TRUST : NOTHING) |
    (minScore === undefined ? ALLOWLIST : NOTHING) |
    checkCounterparty(input) |
    checkPurpose(input) |
    checkDuration(input) |
    checkSpend(input) |
    checkScope(input) |
    checkSelfInstantiation(input) |
    checkCertifications(input) |
    checkRequiredFacts(input.endpoint.requiredFacts, input.request, UNSTATED_THERE, input.version) |
    checkRequiredFacts(input.agent.requiredFacts, input.request, UNSTATED_OWN, input.version) |
    checkProof(input) |
    checkPaymentMandate(input)

  const isProven = provesSender(input)
  if ((findings & HARD_FINDINGS) !== 0) {
    return deny(concealFrom(input, findings), isProven, findCauses(input, level))
  }
  const toApprove = findings & APPROVAL_FINDINGS
  if (toApprove !== 0 && !provesWhatWasHeld(input)) return deny(findings | PROOF, isProven)
  if (toApprove !== 0 && input.approval?.denied) return denyByOwner(toApprove)
  if (toApprove !== 0 && !isApprovalSufficient(input, toApprove)) {
    if (isStandingApprovalSufficient(input, toApprove)) return grant(input, findings, level, true)
    return isCrowded(input, isProven) ? denyCrowded(input, toApprove) : holdForApproval(input, toApprove)
  }
  return grant(input, findings, level)
}

/** Why dimensions fail, if they do, where that says nothing of a boundary. `nameProofCause` adds that of a proof. */
function findCauses({ request, challenge }: VerifiedInput, level: AccessLevel): FailureCauses {
  return {
    ...findUnstatedPurposes(request),
    'trust.score': level === 'none' ? undefined : 'level_too_low',
    'runtime.challenge': challenge === 'withheld' ? 'withheld' : undefined,
  }
}

const REFUSED_COUNTERPARTY = findingOf('counterparty.trust') | findingOf('counterparty.policy')
const SCOPE = findingOf('pdlss.scope')

/**
 * What a counterparty may learn: one that the agent's own rules refuse learns that, and nothing else about the mandate.
 *
 * It has no business with this agent, and could otherwise find out the whole boundary by asking. What is left out does not
 * count against the agent either, because its score is public. Since version 3.
 */
function concealFrom(input: VerifiedInput, findings: Findings): Findings {
  if ((input.version ?? DECISION_VERSION) < 3) return findings
  const scope = (findings & SCOPE) !== 0 && isForbiddenCounterparty(input) ? SCOPE : NOTHING
  const isRefused = scope !== NOTHING || (findings & REFUSED_COUNTERPARTY) !== 0
  return isRefused ? (findings & ~BOUNDARY_FINDINGS) | scope : findings
}

const PROOF = findingOf('agent.proof')

const CROWDED = findingOf('approvals.pending')

/** How many requests that prove nothing may wait for an owner: of one agent at the endpoints of one owner, and anywhere. */
const PENDING_MAX = { here: 3, ofAgent: 20 } as const

/** Denies what an owner cannot be asked about any more. Since version 4, without saying what it would be. */
function denyCrowded({ version = DECISION_VERSION }: VerifiedInput, toApprove: Findings): Decision {
  const shown = version < 4 ? CROWDED | toApprove : CROWDED
  return { ...deny(shown, false), approvalDimensions: approvalDimensionsOf(toApprove) }
}

/**
 * Whether the sender is proven, as far as is known. Requests that prove nothing harm no agent: they count only in windows of
 * the endpoint's owner, against nobody's behaviour, and few of them may wait for an owner.
 */
export function provesSender(input: Pick<VerifiedInput, 'proof' | 'challenge'>): boolean {
  return input.proof === undefined || determineIdentityProof(input) !== 'none'
}

/** Whether too many requests wait already. One that waits itself may be sent again. */
function isCrowded({ approval, counters }: VerifiedInput, isProven: boolean): boolean {
  if (isProven || approval !== null) return false
  const { pendingApprovals = 0, pendingApprovalsHere = 0 } = counters
  return pendingApprovalsHere >= PENDING_MAX.here || pendingApprovals >= PENDING_MAX.ofAgent
}

/**
 * The trust score that the endpoint requires of this caller; `undefined` when its allowlist does not admit the caller.
 *
 * The allowlist applies to external callers only. A score in the matching entry replaces the endpoint's own requirement.
 * Spec: Allowlist entry.
 */
function resolveRequiredScore({ agent, endpoint, request, sharesOwner }: VerifiedInput): number | undefined {
  if (endpoint.allowlist === undefined || sharesOwner) return endpoint.trustScoreRequirement
  return endpoint.allowlist(agent.ownerIdentifiers, request, endpoint.trustScoreRequirement)
}

/**
 * The access level that the trust score earns; `none` when the score is too low.
 *
 * A caller of the same owner is `internal` whatever its score. A score below 20 or below the requirement is treated by the
 * endpoint's policy for unverified agents: `restricted` where that admits them in part or in full, otherwise `none`. A score
 * that is not known (local evaluator) counts as `standard`. Spec: Trust score to access level.
 */
export function resolveAccessLevel(
  { agent: { trustScore }, endpoint, sharesOwner }: VerifiedInput,
  requirement: number,
): AccessLevel {
  if (sharesOwner) return 'internal'
  if (trustScore === undefined) return 'standard'
  if (trustScore < 20 || trustScore < requirement) {
    const policy = endpoint.unverifiedAgentPolicy
    return policy === 'allow_partial' || policy === 'allow_full' ? 'restricted' : 'none'
  }
  if (trustScore < 40) return 'read-only'
  return trustScore < 70 ? 'standard' : 'full'
}
