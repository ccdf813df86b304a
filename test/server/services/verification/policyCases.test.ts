import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { loadPolicyCases, type PolicyCase } from '../../../cases/loadPolicyCases.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

/**
 * The needs of a case beyond a registration and a request: state that only core can receive as a value, or that is set by
 * separate operations.
 */
function isExpressible(one: PolicyCase): boolean {
  const { endpoint: asked } = one
  const party = typeof one.agent === 'string' ? {} : one.agent
  const isPlainEndpoint =
    asked.status === 'active' &&
    asked.tier === 'self_asserted' &&
    (asked.allowlist as unknown[]).length === 0 &&
    (asked.merchantIds as unknown[]).length === 0 &&
    asked.host === 'shop.example'
  const isPlainAgent =
    (party.status ?? 'active') === 'active' &&
    (party.trustScore ?? 50) === 50 &&
    ((party.certifications as unknown[]) ?? []).length === 0 &&
    JSON.stringify(party.approvalRules ?? ['spend']) === '["spend"]'
  const isStateless =
    Object.keys(one.counters).length === 0 &&
    one.challenge === 'not_issued' &&
    one.approval === null &&
    one.evidence === 'ua_claim' &&
    !one.sharesOwner
  // The hosts of the corpus are not the registered ones, and real scores are computed by the algorithm.
  const text = JSON.stringify([party, asked.pdlss])
  const needsValues = text.includes('"counterparties"') || text.includes('"minCounterpartyTrustScore"')
  return isPlainEndpoint && isPlainAgent && isStateless && !needsValues
}

describe('the policy cases through the server', () => {
  const cases = loadPolicyCases().filter(isExpressible)
  const start = Date.now()
  let now = start
  let service: StartedService
  let shop: Organisation
  const endpoints = new Map<string, string>()

  before(async () => {
    service = await startService({ clock: () => now })
    shop = await createOrganisation(service.baseUrl)
  })
  after(() => service?.stop())

  /** One agent per case: denials lower its score, and the level with it. */
  async function agentOf(one: PolicyCase): Promise<string | undefined> {
    if (one.agent === 'none') return undefined
    if (one.agent === 'unknown') return 'SVC-0000000000000000000009'
    const { pdlss } = one.agent
    return (await registerAgent(service.baseUrl, { pdlss }, { timestamp: Math.floor(start / 1000) })).svcId
  }

  async function endpointOf({ endpoint: asked }: PolicyCase): Promise<string> {
    const { pdlss, trustScoreRequirement, unverifiedAgentPolicy, minIdentityProof } = asked
    const fields = { pdlss, trustScoreRequirement, unverifiedAgentPolicy, minIdentityProof }
    const key = JSON.stringify(fields)
    const known = endpoints.get(key)
    if (known) return known
    const svceId = await registerEndpoint(service.baseUrl, shop.apiKey, fields)
    endpoints.set(key, svceId)
    return svceId
  }

  it('covers most of the corpus', () => {
    expect(cases.length).to.be.greaterThan(250)
  })

  for (const one of cases) {
    it(one.title, async () => {
      now = start
      const body = { ...one.request, agentId: await agentOf(one), counterpartyId: await endpointOf(one) }
      now = one.now
      const answer = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
        bearer: shop.apiKey,
        body,
      })
      const { access, recommendation, agent: caller } = answer.body
      expect({
        recommendation,
        accessLevel: access.accessLevel,
        dimensions: (access.failures ?? []).map((failure: { dimension: string }) => failure.dimension),
      }).to.deep.equal({
        recommendation: one.expect.recommendation,
        accessLevel: one.expect.accessLevel,
        dimensions: one.expect.dimensions,
      })
      if (one.agent === 'none') expect(caller?.platform).to.equal(one.expect.platform)
    })
  }
})
