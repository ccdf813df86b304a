import { compileAllowlist } from '@svc/core/access/allowlist.ts'
import { allowlistEntrySchema } from '@svc/core/access/allowlistEntrySchema.ts'
import { compileApprovalRules, DEFAULT_APPROVAL_RULES } from '@svc/core/access/approvalRules.ts'
import { approvalRulesSchema } from '@svc/core/access/approvalRulesSchema.ts'
import { decideAnonymous, type PlatformFacts } from '@svc/core/access/decideAnonymous.ts'
import { decideVerified } from '@svc/core/access/decideVerified.ts'
import type { Decision } from '@svc/core/access/decision.ts'
import type { EndpointFacts, VerifiedInput } from '@svc/core/access/facts.ts'
import { denyUnknownAgent } from '@svc/core/access/outcomes.ts'
import { parseVerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { type PdlssSide, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { bundledPlatforms } from '@svc/core/platforms/bundledPlatforms.ts'
import { compilePlatforms } from '@svc/core/platforms/compilePlatforms.ts'
import { expect } from 'chai'
import { loadPolicyCases, type PolicyCase } from '../../cases/loadPolicyCases.ts'

const compiled = (pdlss: unknown, side: PdlssSide) => {
  const parsed = parsePdlss(pdlss, side)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return compilePolicy(parsed.pdlss, side)
}

const rulesOf = (rules: unknown[]) =>
  rules[0] === 'spend' ? DEFAULT_APPROVAL_RULES : approvalRulesSchema.parse(rules)

// biome-ignore lint/suspicious/noExplicitAny: the corpus is data, checked by the loader's expectations
const asFacts = (value: unknown) => value as any

function endpointFacts(endpoint: PolicyCase['endpoint']): EndpointFacts {
  const facts = asFacts(endpoint)
  return {
    ...facts,
    policy: compiled(facts.pdlss, 'endpoint'),
    allowlist: compileAllowlist(allowlistEntrySchema.array().parse(facts.allowlist)),
  }
}

const platforms = compilePlatforms(bundledPlatforms.platforms)

function platformOf({ request, evidence }: PolicyCase): PlatformFacts | undefined {
  const claim = platforms.byUserAgent(asFacts(request).callerMetadata?.userAgent ?? '')
  return claim ? { ...claim.platform, svcId: 'SVC-p', evidence: asFacts(evidence) } : undefined
}

function decide(one: PolicyCase): Decision | ReturnType<typeof decideAnonymous> {
  const endpoint = endpointFacts(one.endpoint)
  if (one.agent === 'unknown') return denyUnknownAgent()
  const parsed = parseVerificationRequest({ agentId: 'SVC-a', counterpartyId: 'SVCE-e', ...one.request })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  if (one.agent === 'none') {
    const { request } = parsed
    const urls = { registrationUrl: '/r', docsUrl: '/d' }
    const { counters, now } = one
    return decideAnonymous({ endpoint, request, counters, now, platform: platformOf(one), ...urls })
  }
  const agent = asFacts(one.agent)
  const input: VerifiedInput = {
    agent: {
      svcId: 'SVC-a',
      ownerIdentifiers: [agent.owner],
      status: agent.status,
      trustScore: agent.trustScore,
      certifications: agent.certifications,
      policy: compiled(agent.pdlss, 'agent'),
      approvalRules: compileApprovalRules(rulesOf(agent.approvalRules)),
      ancestorMaxTransactionsPerHour: agent.ancestorMaxTransactionsPerHour,
    },
    endpoint,
    request: parsed.request,
    sharesOwner: one.sharesOwner,
    counters: one.counters,
    challenge: one.challenge,
    approval: asFacts(one.approval),
    now: one.now,
  }
  return decideVerified(input)
}

describe('the policy cases through core', () => {
  for (const one of loadPolicyCases()) {
    it(one.title, () => {
      const decision = decide(one)
      const failures = decision.access.failures ?? []
      expect({
        recommendation: decision.recommendation,
        accessLevel: decision.access.accessLevel,
        dimensions: failures.map((failure) => failure.dimension),
      }).to.deep.equal({
        recommendation: one.expect.recommendation,
        accessLevel: one.expect.accessLevel,
        dimensions: one.expect.dimensions,
      })
      expect(decision.access.allowed).to.equal(['grant', 'audit'].includes(one.expect.recommendation))
      if (!('sessionSeconds' in decision)) {
        expect(decision.agent?.platform).to.equal(one.expect.platform)
        if (one.expect.platform) expect(decision.agent).to.include({ ial: 1, evidence: one.evidence })
        return
      }
      const { session, counts, consumes, fresh, notice } = one.expect
      if (session !== undefined) expect(decision.sessionSeconds).to.equal(session)
      if (counts !== undefined) expect(decision.countsAgainstAgent).to.equal(counts)
      expect(decision.consumesApproval).to.equal(consumes ?? false)
      if (one.expect.recommendation === 'step_up_required') {
        expect(decision.needsFreshAssertion).to.equal(fresh ?? false)
        expect(decision.approvalDimensions).to.deep.equal(one.expect.dimensions)
      }
      const isNoticed = decision.recommendationReasons.some((reason) => reason.includes('not a registered'))
      expect(isNoticed && decision.access.allowed).to.equal(notice ?? false)
    })
  }
})
