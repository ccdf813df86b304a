import type { Counters } from '@svc/core/access/counters.ts'
import type { PlatformFacts } from '@svc/core/access/decideAnonymous.ts'
import { DECISION_VERSION, type Decision, type DecisionVersion } from '@svc/core/access/decision.ts'
import type { EndpointFacts, StandingApproval, VerifiedInput } from '@svc/core/access/facts.ts'
import type { FailureCauses } from '@svc/core/access/failureCauses.ts'
import { determineIdentityProof, type PresentedProof } from '@svc/core/access/identityProof.ts'
import { isSigned, type VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import type { IssuedReceipt, NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import type { ApprovalState } from '../../store/recorder/recorder.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import type { VerifiableAgent } from './parties/verifiableAgent.ts'
import type { VerifiableEndpoint } from './parties/verifiableEndpoint.ts'
import type { CheckedMandate } from './proofs/hashMandate.ts'

type VerificationOutcome = {
  eventType: string
  request: VerificationRequest
  endpoint: VerifiableEndpoint
  agent: VerifiableAgent | null
  decision: Pick<Decision, 'recommendation' | 'access'>
  now: number
  sessionId?: string | null
  correlationId?: string | null
  /** Members of the event besides those that every verification has. */
  eventData: object
  /** The agent's facts on which the decision is based. */
  facts?: RecordedAgentFacts
  /** The recognised platform of an anonymous request, and the counters of all such requests. */
  platform?: PlatformFacts | undefined
  counters?: Counters | undefined
  /** Whether the agent is one of another registry whose token has a fault. */
  hasTokenFault?: boolean | undefined
  /** Issues the receipt of the decision; undefined if none is asked for. */
  issueReceipt?: ((recordId: string) => IssuedReceipt) | undefined
}

/**
 * Builds the record of a verification: the event for the activity feed and the inputs for a replay.
 *
 * Both parties share one payload; `toEventView` removes what belongs to the other party.
 *
 * Source: `Spec: Events`.
 */
export function buildVerificationRecord(
  settings: { randomBytes: (length: number) => Uint8Array },
  outcome: VerificationOutcome,
): NewAuditRecord {
  const { request, endpoint, agent, decision, facts, now } = outcome
  const dimensions = (decision.access.failures ?? []).map((failure) => failure.dimension)
  const identityProof = facts && determineIdentityProof(facts)
  return createAuditRecord(
    {
      eventType: outcome.eventType,
      ownerId: agent?.ownerId ?? null,
      counterpartyOwnerId: endpoint.ownerId,
      agentId: agent?.svcId ?? null,
      endpointId: endpoint.id,
      sessionId: outcome.sessionId ?? null,
      correlationId: outcome.correlationId ?? null,
      decision: decision.recommendation,
      dimensions,
      policyHashes: { agent: agent?.pdlssHash ?? null, endpoint: endpoint.pdlssHash },
      ...(identityProof === undefined ? {} : { identityProof }),
      ...(facts?.mandate === undefined ? {} : { mandateHash: facts.mandate.hash }),
      eventData: {
        recommendation: decision.recommendation,
        accessLevel: decision.access.accessLevel,
        dimensions,
        causes: collectCauses(decision.access),
        identityProof,
        mandate: facts?.mandate,
        purpose: request.purpose,
        action: request.action,
        resource: request.resource,
        jurisdiction: request.jurisdiction,
        transactionValue: request.transactionValue,
        currency: request.currency,
        sessionId: outcome.sessionId ?? undefined,
        correlationId: outcome.correlationId ?? undefined,
        agentName: agent?.name,
        svceId: endpoint.svceId ?? undefined,
        endpointName: endpoint.name ?? undefined,
        endpointTier: endpoint.facts.tier,
        counterpartyType: endpoint.counterpartyType ?? undefined,
        counterpartyUrl: endpoint.url ?? undefined,
        caller: callerOf(request.callerMetadata),
        ...outcome.eventData,
      },
      issueReceipt: outcome.issueReceipt,
      inputs: collectInputs(request, endpoint, now, agent && facts ? { agent, facts } : null, {
        platform: outcome.platform,
        counters: outcome.counters,
        hasTokenFault: outcome.hasTokenFault,
      }),
    },
    now,
    settings.randomBytes,
  )
}

/** The causes that the answer names, by dimension; undefined if it names none. */
function collectCauses({ failures = [] }: Decision['access']): FailureCauses | undefined {
  const caused = failures.filter(({ cause }) => cause !== undefined)
  if (caused.length === 0) return undefined
  return Object.fromEntries(caused.map(({ dimension, cause }) => [dimension, cause]))
}

/** What the endpoint's owner sees of a caller, without its signature, which could be replayed. */
function callerOf(metadata: VerificationRequest['callerMetadata']): VerificationRequest['callerMetadata'] {
  if (!isSigned(metadata)) return metadata
  const { sourceIp, userAgent, referer, host, forwardedFor, agentCardUrl } = metadata
  return { sourceIp, userAgent, referer, host, forwardedFor, agentCardUrl }
}

/** The agent's facts in records of the verified branch. */
export type RecordedAgentFacts = {
  agent: {
    svcId: string
    status: string
    trustScore: number
    ownerIdentifiers: readonly string[]
    certifications: readonly string[] | undefined
  }
  sharesOwner: boolean
  counters: Counters
  challenge: VerifiedInput['challenge']
  /** Absent from decisions that were recorded before proofs. */
  proof?: PresentedProof | undefined
  /** Absent if the request presents no payment mandate. */
  mandate?: CheckedMandate | undefined
  approval: ApprovalState | null
  /** Absent if none was read or in force. */
  standingApproval?: StandingApproval | undefined
  /** Absent from other requests, and from dry runs that were answered in full. */
  isForeignDryRun?: boolean | undefined
}

/** All inputs of a decision, as its record stores them. */
export type RecordedInputs = Partial<Omit<RecordedAgentFacts, 'counters'>> & {
  counters?: Counters | undefined
  decisionVersion: DecisionVersion
  now: number
  /**
   * Without `callerMetadata`, which no decision uses and only the endpoint's owner may see, and without the payment mandate,
   * with which anyone could pay. The agent token, which anyone could present, is its hash.
   */
  request: VerificationRequest
  endpoint: Pick<
    EndpointFacts,
    'status' | 'tier' | 'trustScoreRequirement' | 'unverifiedAgentPolicy' | 'host'
  > & { id: string | null }
  /** Hashes of the stored contexts; null without an agent, or if the endpoint is not stored. */
  contexts: { agent: string | null; endpoint: string | null }
  /** The recognised platform of an anonymous request; its evidence was gathered before the decision. */
  platform?: PlatformFacts | undefined
  /** Absent unless the agent is one of another registry, and its token had a fault. */
  hasTokenFault?: boolean | undefined
}

/** Collects the inputs of a decision, so that `replayDecision` can repeat it. */
function collectInputs(
  request: VerificationRequest,
  endpoint: VerifiableEndpoint,
  now: number,
  agentSide: { agent: VerifiableAgent; facts: RecordedAgentFacts } | null,
  otherwise: Pick<VerificationOutcome, 'platform' | 'counters' | 'hasTokenFault'>,
): RecordedInputs {
  const { status, tier, trustScoreRequirement, unverifiedAgentPolicy, host } = endpoint.facts
  return {
    decisionVersion: DECISION_VERSION,
    now,
    request: withoutSecrets(request),
    ...otherwise,
    endpoint: { id: endpoint.id, status, tier, trustScoreRequirement, unverifiedAgentPolicy, host },
    contexts: { agent: agentSide?.agent.contextHash ?? null, endpoint: endpoint.contextHash },
    ...agentSide?.facts,
  }
}

function withoutSecrets(request: VerificationRequest): VerificationRequest {
  const { agentToken } = request
  return {
    ...request,
    callerMetadata: undefined,
    mandate: undefined,
    agentToken: agentToken === undefined ? undefined : `sha256:${sha256Hex(agentToken)}`,
  }
}
