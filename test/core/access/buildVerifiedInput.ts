import { compileApprovalRules } from '@svc/core/access/approvalRules.ts'
import type { VerifiedInput } from '@svc/core/access/facts.ts'
import { parseVerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'

/** A request without any objection; a test passes what it varies. */
export function buildVerifiedInput(varied: Partial<VerifiedInput> = {}, request: object = {}): VerifiedInput {
  const parsed = parseVerificationRequest({ counterpartyId: 'SVCE-e', ...request })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return {
    agent: {
      svcId: 'SVC-a',
      ownerIdentifiers: ['SVCD-a'],
      status: 'active',
      trustScore: 70,
      certifications: [],
      policy: compilePolicy({}, 'agent'),
      approvalRules: compileApprovalRules([]),
    },
    endpoint: {
      status: 'active',
      tier: 'domain_verified',
      trustScoreRequirement: 0,
      unverifiedAgentPolicy: 'deny',
      policy: compilePolicy({}, 'endpoint'),
      allowlist: undefined,
      host: 'shop.example',
    },
    request: parsed.request,
    sharesOwner: false,
    counters: {},
    challenge: 'not_issued',
    approval: null,
    now: Date.UTC(2026, 6, 15, 12),
    ...varied,
  }
}
