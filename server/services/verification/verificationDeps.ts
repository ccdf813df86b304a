import type { Decision, Recommendation } from '@svc/core/access/decision.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { NamedAgent } from '../../store/agents/credentialStore.ts'
import type { Recorder } from '../../store/recorder/recorder.ts'
import type { IdentifyPlatformInput, Sighting } from '../platforms/identifyPlatform.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { ResolvedEndpoint, ResolveEndpointDeps } from './resolveEndpoint.ts'
import type { StepUpApproval } from './stepUpApproval.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'
import type { VerificationSettings } from './verificationSettings.ts'

export type VerificationDeps = {
  recorder: Recorder
  agentBySvcId(svcId: string): Promise<VerifiableAgent | null> | VerifiableAgent | null
  /** The agent that a third-party credential leads to, by its lookup key. */
  agentByCredential(lookupKey: string): Promise<NamedAgent | null> | NamedAgent | null
  resolve: ResolveEndpointDeps
  challenge(
    agent: VerifiableAgent,
    endpoint: VerifiableEndpoint,
    request: VerificationRequest,
  ): Promise<RuntimeChallenge | null>
  /** The platform behind an anonymous request. */
  identifyPlatform(input: IdentifyPlatformInput): Sighting | Promise<Sighting>
  /** Tells the endpoint's owner once a day that it runs on an unclaimed URL. */
  warnUnregistered(endpoint: VerifiableEndpoint, now: number): void
  /** Something waits for an owner now, who is told of it in the service's own time. */
  onOwnerAsked(): void
  /** Epoch milliseconds; asked again where a request had to wait for somebody outside. */
  clock: () => number
  settings: VerificationSettings
  /** Starts to measure a decision; the result is called with what was decided. */
  startTimer(): (recommendation: Recommendation) => void
}

/** How the agent answered when it was asked whether it made the request. Source: `Spec: Runtime challenge`. */
export type RuntimeChallenge = {
  challengeId: string
  passed: boolean
  issuedAt: string
  expiresAt: string
}

export type VerificationInput = { principal: ApiKeyPrincipal; request: VerificationRequest; now: number }

export type ResolvedInput = VerificationInput & { resolved: ResolvedEndpoint }

export type RegisteredInput = ResolvedInput & { agent: VerifiableAgent }

/** What the commit of a verification leads to. */
export type RegisteredOutcome = {
  decision: Decision
  trustScore: number
  sessionId: string | null
  auditRecordId: string | null
  stepUpApproval: StepUpApproval | null
}
