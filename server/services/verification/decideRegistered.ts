import { decideVerified, provesSender } from '@svc/core/access/decideVerified.ts'
import type { Decision } from '@svc/core/access/decision.ts'
import type { VerifiedInput } from '@svc/core/access/facts.ts'
import { determineIdentityProof, type IdentityProof } from '@svc/core/access/identityProof.ts'
import { nameProofCause } from '@svc/core/access/nameProofCause.ts'
import { addDecimals } from '@svc/core/decimal.ts'
import { generateUuidV4, generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { IssuedReceipt } from '../../store/audit/newAuditRecord.ts'
import type {
  ApprovalState,
  Commitment,
  CounterQuery,
  CounterValues,
  EarlierUse,
} from '../../store/recorder/recorder.ts'
import { buildCountedGrant, countersOf } from './buildCounterQuery.ts'
import { buildVerificationRecord } from './buildVerificationRecord.ts'
import { listUses } from './listUses.ts'
import { isForOwner } from './parties/relateOwners.ts'
import { settleMandate } from './proofs/settleMandate.ts'
import { nameWrongProof, settleProof } from './proofs/settleProof.ts'
import { buildDiscoveryBlockedRecords, commitmentOf } from './recordOnly.ts'
import {
  assessApproval,
  buildApprovalRecords,
  coversPending,
  createApproval,
  isRequestOf,
  stepUpApprovalOf,
} from './stepUpApproval.ts'
import type {
  NeededChallenge,
  RegisteredInput,
  RegisteredOutcome,
  VerificationDeps,
} from './verificationDeps.ts'

const EVENT_TYPES = {
  grant: 'verification.completed',
  deny: 'verification.denied',
  step_up_required: 'verification.step_up_required',
  audit: 'verification.completed',
} as const

/** What is known about a request when its decision is made, in the recorder's transaction. */
export type DecisionContext = {
  challenge: NeededChallenge | null
  counters: CounterQuery | null
  values: CounterValues
  approval: ApprovalState | null
  earlierUses: ReadonlyMap<string, EarlierUse>
  /** Null if no receipt is asked for. */
  statusIndex: number | null
}

/**
 * Decides a request of a registered agent, and lists everything that the decision writes.
 *
 * Synchronous and pure apart from random ids, because it runs inside the recorder's transaction.
 */
export function decideRegistered(
  deps: VerificationDeps,
  input: RegisteredInput,
  context: DecisionContext,
): Commitment<RegisteredOutcome | 'attempt_mismatch'> {
  const { agent, request, resolved, now } = input
  const { endpoint } = resolved
  if (context.approval !== null && !isRequestOf(context.approval, { agent, endpoint, request })) {
    return commitmentOf([], 'attempt_mismatch')
  }
  const verified = buildVerifiedInput(input, context)
  const decision = nameProofCause(decideVerified(verified), verified.proof)
  const trustScore = verified.agent.trustScore ?? 0
  const identityProof = determineIdentityProof(verified)
  const isProven = provesSender(verified)
  const requestContext = { agent, endpoint, request, identityProof, now }
  if (request.dryRun) {
    const records = verified.isForeignDryRun
      ? [recordOf(deps, input, context, verified, decision, { sessionId: null })]
      : []
    return commitmentOf(records, {
      decision,
      trustScore,
      identityProof,
      behaviourSource: null,
      sessionId: null,
      auditRecordId: null,
      stepUpApproval: null,
      receipt: null,
      mandate: verified.isForeignDryRun ? undefined : verified.mandate,
    })
  }
  // Sorted by time, because the feed keeps the events of each session together.
  const sessionId = request.createSession ? generateUuidV7(now, deps.settings.randomBytes(10)) : null
  const isHeld = decision.recommendation === 'step_up_required'
  const approval = isHeld ? askOwner(deps, input, context, decision, identityProof) : null
  const approvalId = approval?.answer.approvalId ?? context.approval?.id
  const record = recordOf(deps, input, context, verified, decision, { sessionId, approvalId })
  const blocked = buildDiscoveryBlockedRecords(deps.settings, resolved, now, agent)
  const result = {
    decision,
    trustScore,
    identityProof,
    behaviourSource: findBehaviourSource(input, verified),
    sessionId,
    auditRecordId: record.recordId,
    stepUpApproval: approval?.answer ?? null,
    receipt: record.receipt?.receipt ?? null,
    mandate: verified.mandate,
  }
  const stored = approval?.stored ?? null
  const held = approval === null ? null : { ...approval.answer, expiresAt: approval.expiresAt }
  const isUsed = decision.consumesApproval
  const approvals = buildApprovalRecords(deps.settings, {
    context: requestContext,
    isUsed,
    found: context.approval,
    stored,
  })
  return {
    ...commitmentOf([record, ...approvals, ...blocked], result),
    ...(decision.recommendation === 'grant'
      ? buildCountedGrant({
          ...requestContext,
          caller: agent,
          ...context,
          window: isProven ? null : input.counterpartyId,
          sessionId,
          sessionSeconds: decision.sessionSeconds,
        })
      : {}),
    newApproval: stored,
    consumedApprovalId: isUsed ? (context.approval?.id ?? null) : null,
    standing: useStanding(decision, context, request.transactionValue),
    ...(input.checked === null && input.mandate === null
      ? {}
      : { usedProofs: listUses(input, context.earlierUses, { verified, decision, held }) }),
  }
}

/** What is used of the standing approval on which a grant depends; null if it depends on none. */
function useStanding(
  { usesStandingApproval }: Decision,
  { values: { standing } }: DecisionContext,
  value = 0,
): Commitment<never>['standing'] {
  if (!usesStandingApproval || standing === null) return null
  return { id: standing.id, used: addDecimals(standing.used, value) }
}

/** Gathers the facts on which a decision is based. */
export function buildVerifiedInput(
  input: RegisteredInput,
  context: DecisionContext,
): VerifiedInput & { mandate: RegisteredOutcome['mandate'] } {
  const { agent, request, resolved, now } = input
  const { challenge, approval, earlierUses } = context
  return {
    agent: { ...agent.facts, trustScore: agent.trustScoreAt(now) },
    endpoint: resolved.endpoint.facts,
    request,
    sharesOwner: input.sharesOwner,
    counters: countersOf(context.values),
    challenge: describeChallenge(challenge),
    proof: settleProof(settlingOf(input, context)),
    mandate: settleMandate({ mandate: input.mandate, agentId: agent.svcId, earlierUses }),
    approval: assessApproval(approval, now),
    standingApproval: context.values.standing ?? undefined,
    isForeignDryRun: (request.dryRun && !isForOwner(input)) || undefined,
    now,
  }
}

function settlingOf(
  { checked, request, now }: RegisteredInput,
  { approval, earlierUses }: DecisionContext,
): Parameters<typeof settleProof>[0] {
  const heldFor = assessApproval(approval, now) === null ? null : approval
  return { checked, attemptId: request.attemptId, heldFor, earlierUses }
}

function describeChallenge(challenge: NeededChallenge | null): VerifiedInput['challenge'] {
  if (challenge === null) return 'not_issued'
  if (challenge === 'withheld') return challenge
  return challenge.passed ? 'passed' : 'failed'
}

/** Nobody vouches for themselves, and naming an agent proves nothing about it. */
function findBehaviourSource({ request, sourceId }: RegisteredInput, verified: VerifiedInput): string | null {
  return request.dryRun || !provesSender(verified) ? null : sourceId
}

function recordOf(
  deps: VerificationDeps,
  input: RegisteredInput,
  context: DecisionContext,
  verified: ReturnType<typeof buildVerifiedInput>,
  decision: Decision,
  { sessionId, approvalId }: { sessionId: string | null; approvalId?: string | undefined },
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
    issueReceipt: createIssuer(deps, input, context, { verified, decision, sessionId }),
    eventData: {
      approvalId,
      trustScoreAtRequest: verified.agent.trustScore,
      countsAgainstAgent: decision.countsAgainstAgent && !request.dryRun,
      behaviourSource: findBehaviourSource(input, verified),
      challengeFailed: verified.challenge === 'failed',
      challengeWithheld: verified.challenge === 'withheld' || undefined,
      sharesOwner: verified.sharesOwner || undefined,
      standingApprovalId: (decision.usesStandingApproval && context.values.standing?.id) || undefined,
      wrongProof: verified.proof?.isWrong ? nameWrongProof(settlingOf(input, context)) : undefined,
      proofKeyId: verified.proof?.isWrong === false ? (input.checked?.kid ?? undefined) : undefined,
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
      mandate: verified.mandate,
      approval: context.approval,
      standingApproval: verified.standingApproval,
      isForeignDryRun: verified.isForeignDryRun,
    },
  })
}

/** Undefined if no receipt is asked for. A key or account is stored only if it proved the request. */
function createIssuer(
  { receipts }: VerificationDeps,
  { agent, request, resolved, checked, now }: RegisteredInput,
  { statusIndex }: DecisionContext,
  decided: { verified: VerifiedInput; decision: Decision; sessionId: string | null },
): ((recordId: string) => IssuedReceipt) | undefined {
  if (statusIndex === null) return undefined
  const { verified, decision, sessionId } = decided
  const identityProof = determineIdentityProof(verified)
  const kid = identityProof === 'signature' ? (checked?.kid ?? '') : ''
  const keyThumbprint = THUMBPRINT.test(kid) ? kid : undefined
  const isByAccount = identityProof === 'signature' || identityProof === 'token'
  const account = isByAccount ? (checked?.account ?? undefined) : undefined
  const facts = { request, decision, identityProof, keyThumbprint, account, sessionId, statusIndex, now }
  return (recordId) =>
    receipts.issue({ recordId, agentId: agent.svcId, endpoint: resolved.endpoint, ...facts })
}

/** SHA-256 in base64url. Source: RFC 7638. */
const THUMBPRINT = /^[\w-]{43}$/

function askOwner(
  deps: VerificationDeps,
  input: RegisteredInput,
  context: DecisionContext,
  decision: Decision,
  identityProof: IdentityProof,
) {
  const { agent, request, resolved, now } = input
  const { settings } = deps
  if (coversPending(context.approval, decision, now)) {
    const attemptId = request.attemptId ?? ''
    const { expiresAt } = context.approval
    return { stored: null, expiresAt, answer: stepUpApprovalOf(settings, context.approval, attemptId) }
  }
  const attemptId = request.attemptId ?? generateUuidV4(settings.randomBytes(16))
  const requestContext = { agent, endpoint: resolved.endpoint, request, identityProof, now }
  const stored = createApproval(settings, input, { context: requestContext, decision, attemptId })
  return { stored, expiresAt: stored.expiresAt, answer: stepUpApprovalOf(settings, stored, attemptId) }
}
