import type { Access, Recommendation } from './decision.ts'
import type { HardDimension } from './dimensions.ts'
import type { EndpointFacts, UnverifiedAgentPolicy } from './endpointFacts.ts'
import { failureOf } from './failureOf.ts'

/** What a caller without an agent identifier is told. Spec: Verification response, anonymous branch. */
export type Advisory = {
  ial: 'unverified'
  registrationUrl: string
  docsUrl: string
  policy: UnverifiedAgentPolicy
  restrictionsExplained: readonly string[]
}

/** The outcome of a verification without agent identifier, before anything is recorded. */
export type AnonymousDecision = {
  recommendation: Recommendation
  access: Access
  recommendationReasons: readonly string[]
  advisory: Advisory
  /** Present only under the policy `audit`. */
  warningHeader?: { name: 'X-Svc-Unverified-Warning'; value: string }
  eventType: `verification.unverified_${UnverifiedAgentPolicy}`
}

type AnonymousInput = {
  endpoint: Pick<EndpointFacts, 'status' | 'unverifiedAgentPolicy'>
  /** Where an agent can be registered, and where to read how. */
  registrationUrl: string
  docsUrl: string
}

type Row = Pick<AnonymousDecision, 'recommendation' | 'access'> & { restrictionsExplained: readonly string[] }

const WARNING = 'unverified agent; this access is audited; register the agent to be verified'

/** Spec: Unverified-agent policy effects. */
const ROWS: Record<UnverifiedAgentPolicy, Row> = {
  deny: deniedRow('agent.identity'),
  audit: {
    recommendation: 'audit',
    access: { allowed: true, accessLevel: 'standard', reason: 'Admitted without identity and audited.' },
    restrictionsExplained: [
      'This endpoint admits callers without a registered agent and records each of them.',
      'Responses carry a warning that the caller is unverified.',
      'Register the agent and present its identifier to be admitted as verified.',
    ],
  },
  allow_partial: {
    recommendation: 'grant',
    access: {
      allowed: true,
      accessLevel: 'restricted',
      reason: 'Admitted without identity, to browse only.',
    },
    restrictionsExplained: [
      'Browsing and reading are possible; writing, transactions and payments are not.',
      'Register the agent and present its identifier to get further.',
    ],
  },
  allow_full: {
    recommendation: 'grant',
    access: { allowed: true, accessLevel: 'standard', reason: 'Admitted without identity.' },
    restrictionsExplained: [
      'No scoped token is issued to a caller without a registered agent.',
      'Registering the agent is recommended: verified callers get a session and an audit trail of their own.',
    ],
  },
}

const CLOSED = deniedRow('counterparty.status')

/**
 * Decides on a request without agent identifier by the endpoint's policy for such callers.
 *
 * An endpoint that is deactivated or archived denies whatever its policy is. Spec: Unverified-agent policy effects, Events.
 */
export function decideAnonymous({ endpoint, registrationUrl, docsUrl }: AnonymousInput): AnonymousDecision {
  const isOpen = endpoint.status === 'active'
  const policy = isOpen ? endpoint.unverifiedAgentPolicy : 'deny'
  const { recommendation, access, restrictionsExplained } = isOpen ? ROWS[policy] : CLOSED
  const decision: AnonymousDecision = {
    recommendation,
    access,
    recommendationReasons: [access.reason],
    advisory: { ial: 'unverified', registrationUrl, docsUrl, policy, restrictionsExplained },
    eventType: `verification.unverified_${policy}`,
  }
  if (policy === 'audit') decision.warningHeader = { name: 'X-Svc-Unverified-Warning', value: WARNING }
  return decision
}

function deniedRow(dimension: HardDimension): Row {
  const failure = failureOf(dimension)
  return {
    recommendation: 'deny',
    access: { allowed: false, accessLevel: 'none', reason: failure.message, failures: [failure] },
    restrictionsExplained: [failure.message, 'Register the agent and present its identifier.'],
  }
}
