import { decideVerified } from '@svc/core/access/decideVerified.ts'
import type { Decision } from '@svc/core/access/decision.ts'
import type { VerifiedInput } from '@svc/core/access/facts.ts'
import { determineIdentityProof, NO_PROOF } from '@svc/core/access/identityProof.ts'
import type { RegisteredAnswer } from '@svc/core/contract/verification.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { ApprovalState, Commitment, CounterQuery, CounterValues } from '../../store/recorder/recorder.ts'
import { buildCountedGrant, buildCounterQuery, countersOf } from './buildCounterQuery.ts'
import { buildRegisteredAnswer } from './buildRegisteredAnswer.ts'
import { buildVerificationRecord } from './buildVerificationRecord.ts'
import { needsChallenge } from './challengeAgent.ts'
import { buildDiscoveryBlockedRecords, commitmentOf } from './recordOnly.ts'
import { reloadParties } from './reloadParties.ts'
import { isForOwner, sharesOwner } from './sharesOwner.ts'
import {
  assessApproval,
  buildApprovalRecords,
  coversPending,
  createApproval,
  requestHashOf,
  stepUpApprovalOf,
} from './stepUpApproval.ts'
import type {
  NamedInput,
  RegisteredInput,
  RegisteredOutcome,
  RuntimeChallenge,
  VerificationDeps,
} from './verificationDeps.ts'

const EVENT_TYPES = {
  grant: 'verification.completed',
  deny: 'verification.denied',
  step_up_required: 'verification.step_up_required',
  audit: 'verification.completed',
} as const

/**
 * The verified branch: challenge, then decision and record in one transaction.
 *
 * The decision runs inside the recorder's commit, because only there are caps and approvals exact. A dry run has no effect;
 * one by anyone but the owner is recorded, because its answers reveal parts of the boundary too.
 *
 * @throws ApiError ATTEMPT_MISMATCH if the attempt id belongs to another request.
 */
export async function verifyRegistered(deps: VerificationDeps, named: NamedInput): Promise<RegisteredAnswer> {
  const owned = withOwnership(deps, named)
  const asked = owned instanceof Promise ? await owned : owned
  const { challengeUrl } = named.agent
  const isChallenged =
    challengeUrl !== null && needsChallenge(named.agent, named.request) && !isDeniedAnyway(asked)
  const challenge = isChallenged
    ? await deps.challenge(asked.agent, asked.resolved.endpoint, asked.request)
    : null
  const input = challenge === null ? asked : await reloadAfterChallenge(deps, asked)
  const { agent, request, resolved, now } = input
  const endpoint = resolved.endpoint
  const caller = { ...agent, policy: agent.facts.policy }
  const counters = buildCounterQuery(caller, endpoint, request, now)
  const { attemptId } = request
  const outcome = await deps.recorder.record({
    counters,
    approval: attemptId === undefined ? null : { agentId: agent.svcId, endpointId: endpoint.id, attemptId },
    decide(values, approval) {
      const decided = decideAndCommit(deps, input, { challenge, counters, values, approval })
      const { result } = decided
      if (result === 'attempt_mismatch') return decided
      return { ...decided, buildAnswer: () => buildRegisteredAnswer(input, result, challenge) }
    },
  })
  if (outcome === 'attempt_mismatch') throw apiError('ATTEMPT_MISMATCH')
  if (outcome.auditRecordId !== null) {
    const { recommendation, countsAgainstAgent } = outcome.decision
    const granted = recommendation === 'grant'
    agent.countOutcome({ granted, violated: countsAgainstAgent, sourceId: endpoint.ownerId }, now)
  }
  if (outcome.stepUpApproval !== null) deps.onOwnerAsked()
  return buildRegisteredAnswer(input, outcome, challenge)
}

/** Whether the request is denied whatever the agent would answer, so that nobody can have an agent challenged at will. */
function isDeniedAnyway(input: RegisteredInput): boolean {
  const context = { challenge: null, counters: null, values: UNCOUNTED, approval: null }
  return decideVerified(buildVerifiedInput(input, context)).recommendation === 'deny'
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
  input: NamedInput,
): RegisteredInput | Promise<RegisteredInput> {
  const shared = sharesOwner(deps.owners, input.agent.ownerId, input.resolved.endpoint.ownerId)
  return shared instanceof Promise
    ? shared.then((sharesOwner) => ({ ...input, sharesOwner }))
    : { ...input, sharesOwner: shared }
}

type DecisionContext = {
  challenge: RuntimeChallenge | null
  counters: CounterQuery | null
  values: CounterValues
  approval: ApprovalState | null
}

function decideAndCommit(
  deps: VerificationDeps,
  input: RegisteredInput,
  context: DecisionContext,
): Commitment<RegisteredOutcome | 'attempt_mismatch'> {
  const { agent, request, resolved, now } = input
  const asked = { agent, endpoint: resolved.endpoint, request, now }
  if (context.approval !== null && context.approval.requestHash !== requestHashOf(asked)) {
    return commitmentOf([], 'attempt_mismatch')
  }
  const verified = buildVerifiedInput(input, context)
  const decision = decideVerified(verified)
  const trustScore = verified.agent.trustScore ?? 0
  const identityProof = determineIdentityProof(verified)
  if (request.dryRun) {
    const records = isForOwner(input) ? [] : [recordOf(deps, input, context, verified, decision, null)]
    return commitmentOf(records, {
      decision,
      trustScore,
      identityProof,
      sessionId: null,
      auditRecordId: null,
      stepUpApproval: null,
    })
  }
  const sessionId = request.createSession ? generateUuidV4(deps.settings.randomBytes(16)) : null
  const record = recordOf(deps, input, context, verified, decision, sessionId)
  const blocked = buildDiscoveryBlockedRecords(deps.settings, resolved, now, agent)
  const approval =
    decision.recommendation === 'step_up_required' ? askOwner(deps, input, context, decision) : null
  const result = {
    decision,
    trustScore,
    identityProof,
    sessionId,
    auditRecordId: record.recordId,
    stepUpApproval: approval?.answer ?? null,
  }
  const stored = approval?.stored ?? null
  const approvals = buildApprovalRecords(deps.settings, { asked, decision, found: context.approval, stored })
  return {
    ...commitmentOf([record, ...approvals, ...blocked], result),
    ...(decision.recommendation === 'grant'
      ? buildCountedGrant({ ...asked, caller: agent, ...context })
      : {}),
    newApproval: stored,
    consumedApprovalId: decision.consumesApproval ? (context.approval?.id ?? null) : null,
  }
}

function buildVerifiedInput(input: RegisteredInput, context: DecisionContext): VerifiedInput {
  const { agent, request, resolved, now } = input
  const { challenge } = context
  return {
    agent: { ...agent.facts, trustScore: agent.trustScoreAt(now) },
    endpoint: resolved.endpoint.facts,
    request,
    sharesOwner: input.sharesOwner,
    counters: countersOf(context.values),
    challenge: challenge === null ? 'not_issued' : challenge.passed ? 'passed' : 'failed',
    proof: NO_PROOF,
    approval: assessApproval(context.approval, now),
    now,
  }
}

function recordOf(
  deps: VerificationDeps,
  input: RegisteredInput,
  context: DecisionContext,
  verified: VerifiedInput,
  decision: Decision,
  sessionId: string | null,
) {
  const { agent, request, resolved, now } = input
  return buildVerificationRecord(deps.settings, {
    eventType: request.dryRun ? 'verification.dry_run' : EVENT_TYPES[decision.recommendation],
    request,
    endpoint: resolved.endpoint,
    agent,
    decision,
    now,
    sessionId,
    eventData: {
      trustScoreAtRequest: verified.agent.trustScore,
      countsAgainstAgent: decision.countsAgainstAgent && !request.dryRun,
      challengeFailed: verified.challenge === 'failed',
      sharesOwner: verified.sharesOwner || undefined,
    },
    facts: {
      agent: {
        svcId: agent.svcId,
        status: agent.status,
        trustScore: verified.agent.trustScore ?? 0,
        ownerIdentifiers: agent.facts.ownerIdentifiers,
        certifications: agent.facts.certifications,
      },
      sharesOwner: verified.sharesOwner,
      counters: verified.counters,
      challenge: verified.challenge,
      proof: verified.proof,
      approval: context.approval,
    },
  })
}

function askOwner(
  deps: VerificationDeps,
  input: RegisteredInput,
  context: DecisionContext,
  decision: Decision,
) {
  const { agent, request, resolved, principal, now } = input
  const { settings } = deps
  if (coversPending(context.approval, decision, now)) {
    const attemptId = request.attemptId ?? ''
    return { stored: null, answer: stepUpApprovalOf(settings, context.approval, attemptId) }
  }
  const attemptId = request.attemptId ?? generateUuidV4(settings.randomBytes(16))
  const asked = { agent, endpoint: resolved.endpoint, request, now }
  const stored = createApproval(settings, principal, asked, decision, attemptId)
  return { stored, answer: stepUpApprovalOf(settings, stored, attemptId) }
}
