import { decideVerified } from '@svc/core/access/decideVerified.ts'
import type { VerifiedInput } from '@svc/core/access/facts.ts'
import { pickStricterProof } from '@svc/core/access/identityProof.ts'
import { needsStandingApproval } from '@svc/core/access/standingApproval.ts'
import { isSigned, type VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { RegisteredAnswer } from '@svc/core/contract/verification.ts'
import { describeSource } from '@svc/core/trustScore.ts'
import { apiError } from '../../errors.ts'
import type { ApprovalKey, CounterValues } from '../../store/recorder/recorder.ts'
import { type Asking, buildCounterQuery } from './buildCounterQuery.ts'
import { buildRegisteredAnswer } from './buildRegisteredAnswer.ts'
import { buildVerifiedInput, decideRegistered } from './decideRegistered.ts'
import { relateOwners } from './parties/relateOwners.ts'
import { reloadParties } from './parties/reloadParties.ts'
import type { VerifiableEndpoint } from './parties/verifiableEndpoint.ts'
import { admitDryRun } from './probing/admitDryRun.ts'
import { watchLimit } from './probing/watchLimit.ts'
import { needsChallenge } from './proofs/challengeAgent.ts'
import { listPaymentIds } from './proofs/settleMandate.ts'
import { listProofIds, nameUses } from './proofs/settleProof.ts'
import { verifyPaymentMandate } from './proofs/verifyPaymentMandate.ts'
import type { NamedInput, NeededChallenge, RegisteredInput, VerificationDeps } from './verificationDeps.ts'

/**
 * The verified branch: proof and challenge, then decision and record in one transaction.
 *
 * The decision runs inside the recorder's commit, because only there are caps, approvals and the uses of proofs exact. A dry
 * run has no effect; one by anyone but the owner tells only its outcome and is recorded, because that says something of the
 * boundary too.
 *
 * @throws ApiError ATTEMPT_MISMATCH if the attempt id belongs to another request, RATE_LIMITED for dry runs by others; as
 * `WaitForHost`.
 */
export async function verifyRegistered(deps: VerificationDeps, named: NamedInput): Promise<RegisteredAnswer> {
  const proven = presentsProof(named.request) ? await checkProof(deps, named) : { ...named, checked: null }
  const mandate = named.request.mandate === undefined ? null : await verifyPaymentMandate(deps, proven)
  const owned = withOwnership(deps, { ...proven, mandate })
  const prepared = owned instanceof Promise ? await owned : owned
  if (prepared.request.dryRun) await admitDryRun(deps, prepared)
  const challenge = await challengeWhereNeeded(deps, prepared)
  const hasWaited = challenge !== null && challenge !== 'withheld'
  const input = hasWaited ? await reloadAfterChallenge(deps, prepared) : prepared
  const { agent, request, resolved, now } = input
  const endpoint = resolved.endpoint
  const caller = { ...agent, policy: agent.facts.policy }
  const counters = buildCounterQuery(caller, endpoint, request, describeAsking(input, challenge), now)
  const proofs = [...listProofIds(input), ...listPaymentIds(input.mandate)]
  const statusIndex = wantsReceipt(input) ? await deps.receipts.takeStatusIndex() : null
  const outcome = await deps.recorder.record({
    counters,
    approval: approvalKeyOf(agent, endpoint, request),
    ...(proofs.length === 0 ? {} : { proofs }),
    decide(values, approval, earlierUses) {
      const context = { challenge, counters, values, approval, earlierUses, statusIndex }
      const decided = decideRegistered(deps, input, context)
      const { result } = decided
      if (result === 'attempt_mismatch') return decided
      return { ...decided, buildAnswer: () => buildRegisteredAnswer(deps, input, result, challenge) }
    },
  })
  if (outcome === 'attempt_mismatch') throw apiError('ATTEMPT_MISMATCH')
  if (outcome.mandate?.isWrong && !input.mandate?.stated.isWrong) {
    deps.onWrongMandate(agent.svcId, 'counts_for_another')
  }
  if (outcome.behaviourSource !== null) {
    const { recommendation, countsAgainstAgent } = outcome.decision
    const source = describeSource(outcome.behaviourSource, endpoint.facts.tier)
    agent.countOutcome({ granted: recommendation === 'grant', violated: countsAgainstAgent, source }, now)
  }
  if (outcome.stepUpApproval !== null) deps.onOwnerAsked()
  if (request.transactionValue !== undefined) watchLimit(deps, input, outcome)
  return buildRegisteredAnswer(deps, input, outcome, challenge)
}

function presentsProof({ callerMetadata, intentProof, agentToken }: VerificationRequest): boolean {
  return isSigned(callerMetadata) || intentProof !== undefined || agentToken !== undefined
}

async function checkProof(
  deps: VerificationDeps,
  named: NamedInput,
): Promise<NamedInput & Pick<Checked, 'checked'>> {
  const { agent, request, resolved, now } = named
  const checked = await deps.verifyProof({ agent, audience: resolved.endpoint, request, now })
  if (checked.fault !== null) deps.onWrongProof(agent.svcId, checked.fault)
  return { ...named, checked: nameUses(agent, resolved.endpoint, checked) }
}

type Checked = Pick<RegisteredInput, 'checked' | 'mandate'>

/**
 * Challenges the agent if the request asks for it, if the agent never passed a challenge, if nothing less than a challenge
 * is missing, or if the request was held with one; null otherwise, and also where the request is denied whatever the agent
 * would answer, so that nobody can have an agent challenged at will.
 */
async function challengeWhereNeeded(
  deps: VerificationDeps,
  input: RegisteredInput,
): Promise<NeededChallenge | null> {
  const { agent, request, resolved, checked, counterpartyId, now } = input
  if (agent.challengeUrl === null || request.dryRun) return null
  const { endpoint } = resolved
  const required = pickStricterProof(agent.facts.minIdentityProof, endpoint.facts.minIdentityProof)
  const isUnproven = checked === null || checked.grade === 'none'
  const isNeeded = needsChallenge(agent, request) || (isUnproven && required === 'challenge')
  const held = isUnproven && !isNeeded ? approvalKeyOf(agent, endpoint, request) : null
  if ((!isNeeded && held === null) || isDeniedAnyway(input)) return null
  // A challenge counts for one request only, so that one which was held has to be confirmed again when it is repeated.
  if (held !== null && (await deps.heldProof(held, now)) !== 'challenge') return null
  return input.waitForHost(async () => {
    if (!(await deps.mayChallenge(agent.svcId, counterpartyId, now))) return 'withheld'
    return deps.challenge(agent, endpoint, { ...request, enableRuntimeChallenge: true })
  })
}

function approvalKeyOf(
  { svcId: agentId }: RegisteredInput['agent'],
  { id: endpointId, ownerId: counterpartyOwnerId }: VerifiableEndpoint,
  { attemptId }: VerificationRequest,
): ApprovalKey | null {
  return attemptId === undefined ? null : { agentId, endpointId, counterpartyOwnerId, attemptId }
}

/** Counters that are not known before the commit, and not checked. */
const UNCOUNTED: CounterValues = {
  agentGrants: null,
  ancestorGrants: null,
  endpointGrants: null,
  agentSubAgents: null,
  endpointSubAgents: null,
  pendingApprovals: null,
  pendingApprovalsHere: null,
  cumulativeSpend: null,
  standing: null,
}

function decideUncounted(input: RegisteredInput, changes: Partial<VerifiedInput> = {}) {
  const unknown = {
    challenge: null,
    counters: null,
    values: UNCOUNTED,
    approval: null,
    earlierUses: new Map(),
    statusIndex: null,
  }
  return decideVerified({ ...buildVerifiedInput(input, unknown), ...changes }).recommendation
}

function isDeniedAnyway(input: RegisteredInput): boolean {
  return decideUncounted(input, { challenge: 'passed' }) === 'deny'
}

/** A request without proof is decided before, to learn whether it could wait for the owner: few of them may. */
function describeAsking(input: RegisteredInput, challenge: NeededChallenge | null): Asking {
  const { checked, counterpartyId } = input
  const isProven =
    (challenge !== null && challenge !== 'withheld' && challenge.passed) ||
    (checked !== null && checked.fault === null && checked.grade !== 'none')
  if (isProven) {
    const { agent, request, resolved } = input
    const mayStand = needsStandingApproval(agent.facts, resolved.endpoint.facts, request)
    return { window: null, mayBeHeld: false, mayStand }
  }
  const mayBeHeld = decideUncounted(input) === 'step_up_required'
  return { window: counterpartyId, mayBeHeld, mayStand: false }
}

/**
 * What the request says about a receipt overrides the endpoint's setting. An endpoint without an identifier gets none: any
 * account can ask at a URL that nobody has claimed, and its receipt would pass for one of whoever is there.
 */
function wantsReceipt({ request, resolved: { endpoint } }: RegisteredInput): boolean {
  return !request.dryRun && endpoint.svceId !== null && (request.includeReceipt ?? endpoint.includeReceipt)
}

/** Changes made during the challenge apply, above all a suspension. */
async function reloadAfterChallenge(
  deps: VerificationDeps,
  input: RegisteredInput,
): Promise<RegisteredInput> {
  const current = await reloadParties(deps, input)
  const agent = (await deps.agentBySvcId(input.agent.svcId)) ?? input.agent
  return withOwnership(deps, { ...current, agent })
}

function withOwnership(
  deps: VerificationDeps,
  input: NamedInput & Checked,
): RegisteredInput | Promise<RegisteredInput> {
  const relation = relateOwners(deps.owners, input.agent.ownerId, input.resolved.endpoint.ownerId)
  return relation instanceof Promise
    ? relation.then((loaded) => ({ ...input, ...loaded }))
    : { ...input, ...relation }
}
