import type { Decision, Recommendation } from '@svc/core/access/decision.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { StepUpApproval } from '@svc/core/contract/verification.ts'
import type { ForeignName } from '@svc/core/foreign/foreignName.ts'
import type { MandateVerifier } from '../../external/mandates/createMandateVerifier.ts'
import type { ProofVerifier } from '../../external/proofs/createProofVerifier.ts'
import type { NamedAgent } from '../../store/agents/credentialStore.ts'
import type { IssuedReceipt } from '../../store/audit/newAuditRecord.ts'
import type { ApprovalKey, Recorder } from '../../store/recorder/recorder.ts'
import type { ForeignFault } from '../foreign/foreignAgent.ts'
import type { IdentifyPlatformInput, Sighting } from '../platforms/identifyPlatform.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { ReceiptFacts } from '../receipts/issueReceipt.ts'
import type { WaitForHost } from '../waitForHost.ts'
import type { LinkFailures } from './linkFailures.ts'
import type { OwnerRelation, OwnersDeps } from './parties/relateOwners.ts'
import type { ResolvedEndpoint, ResolveEndpointDeps } from './parties/resolveEndpoint.ts'
import type { VerifiableAgent } from './parties/verifiableAgent.ts'
import type { VerifiableEndpoint } from './parties/verifiableEndpoint.ts'
import type { AdmitDryRunDeps } from './probing/admitDryRun.ts'
import type { WatchLimitDeps } from './probing/watchLimit.ts'
import type { CheckedMandate } from './proofs/hashMandate.ts'
import type { NamedMandate } from './proofs/settleMandate.ts'
import type { NamedProof } from './proofs/settleProof.ts'
import type { VerificationSettings } from './verificationSettings.ts'

export type VerificationDeps = AdmitDryRunDeps &
  WatchLimitDeps & {
    recorder: Recorder
    agentBySvcId(svcId: string): Promise<VerifiableAgent | null> | VerifiableAgent | null
    /** The agent that a third-party credential identifies, by lookup key. */
    agentByCredential(lookupKey: string): Promise<NamedAgent | null> | NamedAgent | null
    foreign: {
      /** An agent of another registry that nobody adopted, or why there is none. @throws ApiError CHAIN_UNAVAILABLE. */
      visit(name: ForeignName, now: number): Promise<VerifiableAgent | ForeignFault>
      /**
       * An adopted agent, with the accounts that sign for it now, or why it cannot be used; null if it is gone. An adoption
       * whose token was transferred has ended. @throws ApiError CHAIN_UNAVAILABLE.
       */
      confirm(agent: VerifiableAgent, now: number): Promise<VerifiableAgent | ForeignFault | null>
    }
    resolve: ResolveEndpointDeps
    owners: OwnersDeps
    challenge(
      agent: VerifiableAgent,
      endpoint: VerifiableEndpoint,
      request: VerificationRequest,
    ): Promise<RuntimeChallenge | null>
    /** Whether an agent may be challenged once more for a counterparty (`counterpartyId` of `OwnerRelation`). */
    mayChallenge(svcId: string, counterpartyId: string, now: number): Promise<boolean>
    /** What the request proved that an attempt was held with; null if no decision of its owner is in effect or due. */
    heldProof(key: ApprovalKey, now: number): Promise<IdentityProof | null>
    /** Checks what a request presents as proof, except for earlier uses. */
    verifyProof: ProofVerifier
    /** Called with what is wrong with a proof, for operators. */
    onWrongProof(svcId: string, fault: string): void
    /** Checks the payment mandate that a request presents. */
    verifyMandate: MandateVerifier
    /** Called with why a mandate does not cover its request, for operators. */
    onWrongMandate(svcId: string, fault: string): void
    /** The platform behind an anonymous request. */
    identifyPlatform(input: IdentifyPlatformInput): Sighting | Promise<Sighting>
    /** Warns the owner of an unclaimed endpoint, at most once a day. */
    warnUnregistered(endpoint: VerifiableEndpoint, now: number): void
    /** Called when an approval is pending; the owner is notified in the background. */
    onOwnerAsked(): void
    receipts: {
      /** Takes a position in the status lists before the decision, which cannot wait for it. */
      takeStatusIndex(): number | Promise<number>
      issue(facts: ReceiptFacts): IssuedReceipt
    }
    /** Epoch milliseconds; read again after waiting for a third party. */
    clock: () => number
    settings: VerificationSettings
    linkFailures: LinkFailures
    /** Measures a decision, by its recommendation. */
    measure<Answer extends { recommendation: Recommendation }>(decide: () => Promise<Answer>): Promise<Answer>
  }

/** The agent's answer to the runtime challenge. Source: `Spec: Runtime challenge`. */
export type RuntimeChallenge = {
  challengeId: string
  passed: boolean
  issuedAt: string
  expiresAt: string
}

/** A challenge that was needed; `withheld` if the agent had been challenged too often to send it. */
export type NeededChallenge = RuntimeChallenge | 'withheld'

export type VerificationInput = {
  principal: ApiKeyPrincipal
  request: VerificationRequest
  now: number
  waitForHost: WaitForHost
}

export type ResolvedInput = VerificationInput & { resolved: ResolvedEndpoint }

export type NamedInput = ResolvedInput & { agent: VerifiableAgent }

export type RegisteredInput = NamedInput &
  OwnerRelation & {
    /** Null if the request presents no proof. */
    checked: NamedProof | null
    /** Null if the request presents no payment mandate. */
    mandate: NamedMandate | null
  }

/** The result of committing a verification. */
export type RegisteredOutcome = {
  decision: Decision
  trustScore: number
  identityProof: IdentityProof
  /** The source for which the outcome counts in the agent's behaviour; null if it does not count. */
  behaviourSource: string | null
  sessionId: string | null
  auditRecordId: string | null
  stepUpApproval: StepUpApproval | null
  /** Null if none was asked for. */
  receipt: string | null
  /** Undefined if the request presents no payment mandate. */
  mandate: CheckedMandate | undefined
}
