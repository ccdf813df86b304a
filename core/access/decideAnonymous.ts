import type { ProvisionalAgent } from '../contract/verification.ts'
import type { EvidenceGrade } from '../platforms/platform.ts'
import { checkAnonymous } from './checkAnonymous.ts'
import { findUnstatedPurposes } from './checkBoundaries.ts'
import type { Counters } from './counters.ts'
import {
  type Access,
  type AccessFailure,
  DECISION_VERSION,
  type DecisionVersion,
  type Recommendation,
  reachesLevel,
} from './decision.ts'
import type { EndpointFacts, UnverifiedAgentPolicy } from './facts.ts'
import { failureOf } from './failureOf.ts'
import { type Findings, findingOf, hardDimensionsOf, NOTHING } from './findings.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** Advice for a caller without an agent identifier. Spec: Verification response, anonymous branch. */
type Advisory = {
  ial: 'unverified'
  registrationUrl: string
  docsUrl: string
  policy: UnverifiedAgentPolicy
  restrictionsExplained: readonly string[]
}

/** The recognised platform behind a request, with the evidence gathered before the decision. */
export type PlatformFacts = {
  /** The identifier of the platform's provisional agent. */
  svcId: string
  id: string
  name: string
  operator: string
  evidence: EvidenceGrade
}

/** The outcome of a verification without an agent identifier, before it is recorded. */
export type AnonymousDecision = {
  recommendation: Recommendation
  access: Access
  recommendationReasons: readonly string[]
  advisory: Advisory
  /** Present only under the policy `audit`. */
  warningHeader?: { name: 'X-Svc-Unverified-Warning'; value: string }
  /** Present only when a platform was recognised. */
  agent?: ProvisionalAgent
  eventType: `verification.unverified_${UnverifiedAgentPolicy}`
}

type AnonymousInput = {
  endpoint: EndpointFacts
  request: VerificationRequest
  /** Those of all callers without identity together. */
  counters: Counters
  /** Epoch milliseconds. */
  now: number
  version?: DecisionVersion
  platform?: PlatformFacts | undefined
  /** Where to register an agent, and where to read how. */
  registrationUrl: string
  docsUrl: string
}

type Row = Pick<AnonymousDecision, 'recommendation' | 'access'> & {
  /** Texts that are shown to the developer of the agent; the argument explains how to become a verified caller. */
  explain: (howToRegister: string) => readonly string[]
}

/** Printable ASCII, because it is a header value. */
const WARNING =
  'Unverified agent: this request was admitted and recorded. Register the agent to be admitted as verified.'

/** Spec: Unverified-agent policy effects. */
const ROWS: Record<UnverifiedAgentPolicy, Row> = {
  deny: {
    ...denialOf([failureOf('agent.identity')]),
    explain: (howToRegister) => [
      'This endpoint admits registered agents only, and your request named none.',
      howToRegister,
    ],
  },
  audit: {
    recommendation: 'audit',
    access: { allowed: true, accessLevel: 'standard', reason: 'Admitted without identity and audited.' },
    explain: (howToRegister) => [
      'Your request was admitted although it named no registered agent, and it was recorded for an audit.',
      'Responses carry the header X-Svc-Unverified-Warning until your agent is registered.',
      howToRegister,
    ],
  },
  allow_partial: {
    recommendation: 'grant',
    access: {
      allowed: true,
      accessLevel: 'restricted',
      reason: 'Admitted without identity, to browse and read only.',
    },
    explain: (howToRegister) => [
      'Without a registered agent you can browse and read here. Writing, transactions and payments are refused.',
      `Registering lifts these limits. ${howToRegister}`,
    ],
  },
  allow_full: {
    recommendation: 'grant',
    access: { allowed: true, accessLevel: 'standard', reason: 'Admitted without identity.' },
    explain: (howToRegister) => [
      'You have standard access without a registered agent, but no scoped token is issued to you.',
      `Registering is recommended: a registered agent gets a session and a record of its own. ${howToRegister}`,
    ],
  },
}

const CLOSED: Row = {
  ...denialOf([failureOf('counterparty.status')]),
  explain: () => [
    'This endpoint accepts no requests at present. Registering your agent does not change that; try again later.',
  ],
}

const OUTSIDE =
  'Your request was outside what this endpoint allows, to registered agents too; see the failures.'

const UNPROVEN = 'This endpoint requires proof of which agent sends a request, and your request named none.'

const PROOF = findingOf('agent.proof')

/**
 * Decides on a request without an agent identifier by the endpoint's policy for unverified agents and its boundary.
 *
 * What the boundary refuses is denied under every policy, so that a caller without identity gets no more than a registered
 * one, and so is every request at an endpoint that requires a proof; the event keeps the type of the policy. A deactivated
 * or archived endpoint denies every request. A recognised platform is named in the response but gets the same access as any
 * other caller, whatever the evidence, because no one vouches for a provisional agent. Version 1 did not apply the boundary.
 *
 * Spec: Unverified-agent policy effects, Events.
 */
export function decideAnonymous(input: AnonymousInput): AnonymousDecision {
  const { endpoint, platform, registrationUrl, docsUrl, version = DECISION_VERSION } = input
  const isOpen = endpoint.status === 'active'
  const policy = isOpen ? endpoint.unverifiedAgentPolicy : 'deny'
  const isAdmitted = isOpen && policy !== 'deny'
  const findings = isAdmitted && version > 1 ? checkAnonymous(input) : NOTHING
  const row = isOpen ? ROWS[policy] : CLOSED
  const { recommendation, access, explain } =
    findings === NOTHING ? holdToLevel(row, input.request) : buildRefusal(row, findings, input.request)
  const restrictionsExplained = explain(
    `Register your agent at ${registrationUrl} and send its identifier in the header X-Svc-Id with every request.`,
  )
  const decision: AnonymousDecision = {
    recommendation,
    access,
    recommendationReasons: access.failures?.map(({ message }) => message) ?? [access.reason],
    advisory: { ial: 'unverified', registrationUrl, docsUrl, policy, restrictionsExplained },
    eventType: `verification.unverified_${policy}`,
  }
  if (recommendation === 'audit')
    decision.warningHeader = { name: 'X-Svc-Unverified-Warning', value: WARNING }
  if (platform !== undefined) decision.agent = toProvisionalAgent(platform)
  return decision
}

function toProvisionalAgent({ svcId, id, name, operator, evidence }: PlatformFacts): ProvisionalAgent {
  return { svcId, name, agentStatus: 'provisional', ial: 1, evidence, platform: id, operator }
}

/** Denies a request that the policy would admit and the boundary or the required proof refuses. */
function buildRefusal(row: Row, findings: Findings, request: VerificationRequest): Row {
  const causes = findUnstatedPurposes(request)
  return {
    ...denialOf(hardDimensionsOf(findings).map((dimension) => failureOf(dimension, causes[dimension]))),
    explain: (howToRegister) =>
      (findings & PROOF) === NOTHING ? [OUTSIDE, ...row.explain(howToRegister)] : [UNPROVEN, howToRegister],
  }
}

/** Denies what the policy admits at a lower level than the request needs. */
function holdToLevel(row: Row, { minAccessLevel = 'none' }: VerificationRequest): Row {
  const { allowed, accessLevel } = row.access
  return !allowed || reachesLevel(accessLevel, minAccessLevel) ? row : TOO_LOW
}

const TOO_LOW_FAILURE = failureOf('agent.identity', 'level_too_low')

const TOO_LOW: Row = {
  ...denialOf([TOO_LOW_FAILURE]),
  explain: (howToRegister) => [TOO_LOW_FAILURE.message, howToRegister],
}

function denialOf(failures: readonly AccessFailure[]): Omit<Row, 'explain'> {
  const reason = failures[0]?.message ?? 'Denied.'
  return { recommendation: 'deny', access: { allowed: false, accessLevel: 'none', reason, failures } }
}
