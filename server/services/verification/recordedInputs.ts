import type { Counters } from '@svc/core/access/counters.ts'
import type { PlatformFacts } from '@svc/core/access/decideAnonymous.ts'
import { DECISION_VERSION } from '@svc/core/access/decision.ts'
import type { EndpointFacts, VerifiedInput } from '@svc/core/access/facts.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { ApprovalState } from '../../store/recorder/recorder.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

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
export function recordedInputs(
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
