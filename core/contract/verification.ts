import { z } from 'zod'
import { UNVERIFIED_AGENT_POLICIES } from '../access/facts.ts'
import { FAILURE_CAUSES } from '../access/failureCauses.ts'
import { APPROVAL_DIMENSIONS, HARD_DIMENSIONS } from '../access/findings.ts'
import { IDENTITY_PROOFS } from '../access/identityProof.ts'
import { verificationRequestSchema } from '../access/verificationRequestSchema.ts'
import { MANDATE_PROTOCOLS } from '../commerce/mandates/presentedMandate.ts'
import { agentPdlssSchema, endpointPdlssSchema } from '../pdlss/pdlss.ts'
import { EVIDENCE_GRADES } from '../platforms/platform.ts'
import { success } from './envelope.ts'
import { accessLevel, agentStatus, blockchainStatus, recommendation } from './states.ts'

/** One failed dimension: that it failed and what to do next, never what is allowed. */
const accessFailure = z.object({
  dimension: z.enum([...HARD_DIMENSIONS, ...APPROVAL_DIMENSIONS]),
  cause: z
    .enum(FAILURE_CAUSES)
    .optional()
    .describe('Why the dimension failed, where that says nothing of a boundary; further causes may be added'),
  message: z.string(),
  guidance: z.string(),
  docsUrl: z.string().optional().describe('Where the documentation explains the dimension'),
})

/** Whether and how far a request is allowed. */
export const access = z.object({
  allowed: z.boolean(),
  accessLevel,
  reason: z.string(),
  failures: z.array(accessFailure).readonly().optional(),
})

const names = z.array(z.string()).readonly()

const window = agentPdlssSchema.shape.duration
  .unwrap()
  .pick({ allowedDays: true, allowedHours: true, timezone: true })

/**
 * The intersection of both boundaries in the form of a PDLSS object, for the agent's owner only. `furtherWindow` and
 * `furtherResources` are the endpoint's, which apply as well, if they cannot be combined with the agent's.
 */
const appliedPolicy = z.object({
  purpose: z.object({
    categories: names.optional(),
    allowedActions: names.optional(),
    deniedActions: names.optional(),
  }),
  duration: z.object({
    maxSessionDuration: z.number().optional(),
    ttl: z.number().optional(),
    ...window.shape,
    furtherWindow: window.optional(),
  }),
  limits: z.object(endpointPdlssSchema.shape.limits.unwrap().shape),
  scope: z.object({
    jurisdictions: names.optional(),
    resources: names.optional(),
    furtherResources: names.optional(),
    unverifiedCounterpartyPolicy: endpointPdlssSchema.shape.scope.unwrap().shape.unverifiedCounterpartyPolicy,
    minCounterpartyTrustScore: endpointPdlssSchema.shape.scope.unwrap().shape.minCounterpartyTrustScore,
    deniedResources: names.optional(),
    resourceTypes: names.optional(),
    requiredCertifications: names.optional(),
    counterparties: names.optional(),
  }),
  selfInstantiation: z.object(endpointPdlssSchema.shape.selfInstantiation.unwrap().shape),
})

const verifiedAgent = z.object({
  svcId: z.string(),
  name: z.string(),
  trustScore: z.number(),
  agentStatus,
  blockchainStatus,
  runtimeChallengeSupported: z.boolean(),
})

const provisionalAgent = z.object({
  svcId: z.string(),
  name: z.string(),
  agentStatus: z.literal('provisional'),
  ial: z.literal(1),
  evidence: z.enum(EVIDENCE_GRADES),
  platform: z.string(),
  operator: z.string(),
})

/** Source: `Spec: Step-up approval object`. */
const stepUpApproval = z.object({
  approvalId: z.string(),
  pollUrl: z.string(),
  approvalUrl: z.string(),
  expiresAt: z.string(),
  status: z.literal('pending'),
  attemptId: z.string(),
})

const decided = {
  success: z.literal(true),
  recommendation,
  recommendationReasons: z.array(z.string()).readonly(),
  /** Identifies the record in the audit log; absent from a dry run. */
  auditRecordId: z.string().optional(),
  warnings: z
    .array(z.string())
    .readonly()
    .optional()
    .describe(
      'What the counterparty should look at in its request, such as a misspelt member that was ignored',
    ),
}

const anonymousAnswer = z.object({
  ...decided,
  access,
  correlationId: z.uuid(),
  advisory: z.object({
    ial: z.literal('unverified'),
    registrationUrl: z.string(),
    docsUrl: z.string(),
    policy: z.enum(UNVERIFIED_AGENT_POLICIES),
    restrictionsExplained: z.array(z.string()).readonly(),
  }),
  agent: provisionalAgent.optional(),
  /** A header to set on the response; present if the policy for unverified callers is `audit`. */
  warningHeader: z.object({ name: z.literal('X-Svc-Unverified-Warning'), value: z.string() }).optional(),
})

const registeredAnswer = z.object({
  ...decided,
  access: access.extend({
    restrictions: z.array(z.string()).optional(),
    appliedPolicy: appliedPolicy.optional(),
  }),
  agent: verifiedAgent,
  /** What the request proves of the agent's identity. */
  identityProof: z.enum(IDENTITY_PROOFS),
  sessionId: z.uuid().optional(),
  tokenGuidance: z
    .object({
      scopes: z.array(z.string()).readonly(),
      ttlSeconds: z.number(),
      rateLimit: z.object({ transactionsPerHour: z.number().nullable() }),
    })
    .optional(),
  runtimeChallenge: z
    .object({ challengeId: z.string(), passed: z.boolean(), issuedAt: z.string(), expiresAt: z.string() })
    .optional(),
  stepUpApproval: stepUpApproval.optional(),
  /** The verdict, signed: a compact JWS that anyone can verify. Present if the request or the endpoint asks for it. */
  receipt: z.string().optional(),
  /** The payment mandate that the request presents, if it covers the request, which is not denied. */
  mandate: z
    .object({
      protocol: z.enum(MANDATE_PROTOCOLS),
      /** False if its terms are only stated, and not signed. */
      isSigned: z.boolean(),
      /** False if the wallet or key is only declared: the payment may be somebody else's. */
      isHolderProven: z.boolean(),
    })
    .optional(),
})

const unknownAgentAnswer = z.object({ ...decided, access })

const verificationAnswer = z.union([anonymousAnswer, registeredAnswer, unknownAgentAnswer])

/** The response for a caller without an agent identifier. Only this kind has a `correlationId`. */
export interface AnonymousAnswer extends z.output<typeof anonymousAnswer> {
  agent?: ProvisionalAgent | undefined
  identityProof?: undefined
  sessionId?: undefined
  tokenGuidance?: undefined
  runtimeChallenge?: undefined
  stepUpApproval?: undefined
  receipt?: undefined
  mandate?: undefined
}

/** The response for a registered agent. Only the agent's owner gets `access.restrictions` and `access.appliedPolicy`. */
export interface RegisteredAnswer extends z.output<typeof registeredAnswer> {
  agent: VerifiedAgent
  correlationId?: undefined
  advisory?: undefined
  warningHeader?: undefined
}

/** The response for an identifier or credential that belongs to no registered agent. */
export interface UnknownAgentAnswer extends z.output<typeof unknownAgentAnswer> {
  agent?: undefined
  identityProof?: undefined
  correlationId?: undefined
  advisory?: undefined
  warningHeader?: undefined
  sessionId?: undefined
  tokenGuidance?: undefined
  runtimeChallenge?: undefined
  stepUpApproval?: undefined
  receipt?: undefined
  mandate?: undefined
}

/**
 * The response to one verification request. Gate on `recommendation`, never on a limit, and ignore unknown members.
 *
 * Each kind declares the members of the others as undefined, so that a check narrows the union: `correlationId` is defined
 * only for anonymous callers; of the other two kinds, only the response for a registered agent has an `agent`.
 *
 * Source: Spec: Verification response.
 */
export type VerificationAnswer = AnonymousAnswer | RegisteredAnswer | UnknownAgentAnswer

/** A registered agent, as counterparties see it; it has no `ial`. Source: Spec: Agent. */
export interface VerifiedAgent extends z.output<typeof verifiedAgent> {
  ial?: undefined
  evidence?: undefined
  platform?: undefined
  operator?: undefined
}

/** The recognised platform of an anonymous caller, told by its `ial`: a claim only as good as its evidence. */
export interface ProvisionalAgent extends z.output<typeof provisionalAgent> {
  trustScore?: undefined
  blockchainStatus?: undefined
  runtimeChallengeSupported?: undefined
}

/** An approval that the owner has been asked for. Poll it, then resend the request with `attemptId`. */
export interface StepUpApproval extends z.output<typeof stepUpApproval> {}

/** Request and response schemas of the operations, by method and path. */
export const verificationOperations = {
  'POST /api/agents/verify-access': { body: verificationRequestSchema, answer: verificationAnswer },
  'HEAD /api/agents/verify-access': { answer: z.object({}) },
  'GET /api/sample-counterparty': {
    answer: success({
      message: z.string(),
      recommendation: registeredAnswer.shape.recommendation,
      identityProof: registeredAnswer.shape.identityProof,
      /** Empty unless the request is denied. */
      failures: z.array(accessFailure).readonly(),
      auditRecordId: z.string().nullable(),
    }),
  },
} as const
