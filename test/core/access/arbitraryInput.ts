import { compileAllowlist } from '@svc/core/access/allowlist.ts'
import { compileApprovalRules } from '@svc/core/access/approvalRules.ts'
import type { Decision } from '@svc/core/access/decision.ts'
import type { VerifiedInput } from '@svc/core/access/facts.ts'
import { parseVerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import type { ArbitraryCase } from './arbitraryCases.ts'

/** What the decision is given in an arbitrary case. */
export function inputOf({ agent, endpoint, rules, request, facts, now }: ArbitraryCase): VerifiedInput {
  const parsed = parseVerificationRequest({ counterpartyId: 'SVCE-e', ...request })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return {
    agent: {
      svcId: 'SVC-a',
      ownerIdentifiers: ['SVCD-a'],
      status: facts.status,
      trustScore: facts.trustScore,
      certifications: facts.certifications,
      policy: compilePolicy(agent, 'agent'),
      approvalRules: compileApprovalRules(rules),
      ancestorMaxTransactionsPerHour: facts.ancestorMaxTransactionsPerHour,
    },
    endpoint: {
      status: facts.endpointStatus,
      tier: facts.tier,
      trustScoreRequirement: facts.trustScoreRequirement,
      unverifiedAgentPolicy: facts.unverifiedAgentPolicy,
      policy: compilePolicy(endpoint, 'endpoint'),
      allowlist: compileAllowlist([]),
      host: facts.host,
    },
    request: parsed.request,
    sharesOwner: facts.sharesOwner,
    counters: facts,
    challenge: facts.challenge,
    approval: null,
    now,
  }
}

/** The dimensions that a decision says have failed. */
export const dimensionsOf = (decision: Decision) =>
  (decision.access.failures ?? []).map(({ dimension }) => dimension)
