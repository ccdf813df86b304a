import type { Counters } from '@svc/core/access/counters.ts'
import type { PlatformFacts } from '@svc/core/access/decideAnonymous.ts'
import { DECISION_VERSION, type Decision } from '@svc/core/access/decision.ts'
import type { EndpointFacts, VerifiedInput } from '@svc/core/access/facts.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import type { ApprovalState } from '../../store/recorder/recorder.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

type VerificationOutcome = {
  eventType: string
  request: VerificationRequest
  endpoint: VerifiableEndpoint
  agent: VerifiableAgent | null
  decision: Pick<Decision, 'recommendation' | 'access'>
  now: number
  sessionId?: string | null
  correlationId?: string | null
  /** Members of the event beyond those of every verification. */
  eventData: object
  /** Facts about the agent's side that the decision was made from. */
  facts?: RecordedAgentFacts
  /** What was found of the platform behind an anonymous request. */
  platform?: PlatformFacts | undefined
}

/**
 * The record of one verification: what happened for the activity feed, what it was decided from for a replay.
 *
 * The payload is the same for both parties; `eventView` takes away what belongs to the other.
 * Source: `Spec: Events`; verification.md "Decisions are reproducible".
 */
export function buildVerificationRecord(
  settings: { randomBytes: (length: number) => Uint8Array },
  outcome: VerificationOutcome,
): NewAuditRecord {
  const { request, endpoint, agent, decision, facts, now } = outcome
  const dimensions = (decision.access.failures ?? []).map((failure) => failure.dimension)
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
      eventData: {
        recommendation: decision.recommendation,
        accessLevel: decision.access.accessLevel,
        dimensions,
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
      inputs: collectInputs(
        request,
        endpoint,
        now,
        agent && facts ? { agent, facts } : null,
        outcome.platform,
      ),
    },
    now,
    settings.randomBytes,
  )
}

/** What the endpoint's owner is shown of a caller: not its signature, which could be used once more. */
function callerOf(metadata: VerificationRequest['callerMetadata']): VerificationRequest['callerMetadata'] {
  if (metadata?.signature === undefined) return metadata
  const { sourceIp, userAgent, referer, host, forwardedFor, agentCardUrl } = metadata
  return { sourceIp, userAgent, referer, host, forwardedFor, agentCardUrl }
}

/** Facts about the agent's side, in records of the verified branch. */
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
  approval: ApprovalState | null
}

/** Everything a recorded decision rests on, as its record keeps it. */
export type RecordedInputs = Partial<RecordedAgentFacts> & {
  decisionVersion: number
  now: number
  /** Without `callerMetadata`: no decision looks at it, and it is the endpoint owner's alone. */
  request: VerificationRequest
  endpoint: Pick<
    EndpointFacts,
    'status' | 'tier' | 'trustScoreRequirement' | 'unverifiedAgentPolicy' | 'host'
  > & { id: string | null }
  /** Hashes of the kept contexts; null where there is none: no agent, or an endpoint that is not stored. */
  contexts: { agent: string | null; endpoint: string | null }
  /** What was found of the platform behind an anonymous request; its evidence was gathered before the decision. */
  platform?: PlatformFacts | undefined
}

/**
 * Gathers what a decision was made from, so that `replayDecision` can make it again.
 *
 * Source: verification.md "Decisions are reproducible".
 */
function collectInputs(
  request: VerificationRequest,
  endpoint: VerifiableEndpoint,
  now: number,
  agentSide: { agent: VerifiableAgent; facts: RecordedAgentFacts } | null,
  platform?: PlatformFacts,
): RecordedInputs {
  const { status, tier, trustScoreRequirement, unverifiedAgentPolicy, host } = endpoint.facts
  return {
    decisionVersion: DECISION_VERSION,
    now,
    request: { ...request, callerMetadata: undefined },
    platform,
    endpoint: { id: endpoint.id, status, tier, trustScoreRequirement, unverifiedAgentPolicy, host },
    contexts: { agent: agentSide?.agent.contextHash ?? null, endpoint: endpoint.contextHash },
    ...agentSide?.facts,
  }
}
