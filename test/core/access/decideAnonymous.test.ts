import { decideAnonymous, type PlatformFacts } from '@svc/core/access/decideAnonymous.ts'
import { UNVERIFIED_AGENT_POLICIES, type UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { EVIDENCE_GRADES } from '@svc/core/platforms/platform.ts'
import { expect } from 'chai'
import { buildVerifiedInput } from './buildVerifiedInput.ts'

const decide = (
  unverifiedAgentPolicy: UnverifiedAgentPolicy,
  status: 'active' | 'deactivated' | 'archived' = 'active',
  platform?: PlatformFacts,
) =>
  decideAnonymous({
    ...buildVerifiedInput(),
    endpoint: { ...buildVerifiedInput().endpoint, status, unverifiedAgentPolicy },
    platform,
    registrationUrl: 'https://svc.example/register',
    docsUrl: 'https://svc.example/docs',
  })

describe('a decision on a caller without agent identifier', () => {
  const table = {
    deny: { recommendation: 'deny', allowed: false, accessLevel: 'none' },
    audit: { recommendation: 'audit', allowed: true, accessLevel: 'standard' },
    allow_partial: { recommendation: 'grant', allowed: true, accessLevel: 'restricted' },
    allow_full: { recommendation: 'grant', allowed: true, accessLevel: 'standard' },
  }

  for (const policy of UNVERIFIED_AGENT_POLICIES) {
    it(`follows the table of policies for ${policy}`, () => {
      const { recommendation, access, eventType } = decide(policy)
      const { allowed, accessLevel } = access
      expect({ recommendation, allowed, accessLevel }).to.deep.equal(table[policy])
      expect(eventType).to.equal(`verification.unverified_${policy}`)
    })

    it(`advises on registration under ${policy} and explains the restrictions`, () => {
      const { advisory } = decide(policy)
      expect(advisory).to.include({
        ial: 'unverified',
        registrationUrl: 'https://svc.example/register',
        docsUrl: 'https://svc.example/docs',
        policy,
      })
      expect(advisory.restrictionsExplained).to.have.length.greaterThan(0)
    })

    it(`sets the warning header only for audit: ${policy}`, () => {
      const { warningHeader } = decide(policy)
      if (policy !== 'audit') return expect(warningHeader).to.equal(undefined)
      expect(warningHeader?.name).to.equal('X-Svc-Unverified-Warning')
      expect(warningHeader?.value).to.match(/^[\x20-\x7e]+$/)
    })
  }

  it('denies what the policy admits at a lower level than the request needs', () => {
    const at = (minAccessLevel: 'restricted' | 'standard' | 'full', policy: UnverifiedAgentPolicy) => {
      const { endpoint, request, ...input } = buildVerifiedInput()
      return decideAnonymous({
        ...input,
        endpoint: { ...endpoint, unverifiedAgentPolicy: policy },
        request: { ...request, minAccessLevel },
        registrationUrl: 'https://svc.example/register',
        docsUrl: 'https://svc.example/docs',
      })
    }
    expect(at('restricted', 'allow_partial').recommendation).to.equal('grant')
    expect(at('standard', 'allow_full').recommendation).to.equal('grant')
    for (const denied of [at('standard', 'allow_partial'), at('full', 'allow_full'), at('full', 'audit')]) {
      expect(denied).to.include({ recommendation: 'deny' }).and.not.have.property('warningHeader')
      expect(denied.access.failures?.map(({ dimension, cause }) => [dimension, cause])).to.deep.equal([
        ['agent.identity', 'level_too_low'],
      ])
    }
    expect(at('full', 'deny').access.failures?.[0]).to.not.have.property('cause')
  })

  it('tells the developer what is admitted, what is recorded and how to register', () => {
    const how =
      'Register your agent at https://svc.example/register and send its identifier in the header X-Svc-Id with every request.'
    const explained = (policy: UnverifiedAgentPolicy) => decide(policy).advisory.restrictionsExplained
    expect(explained('deny')).to.deep.equal([
      'This endpoint admits registered agents only, and your request named none.',
      how,
    ])
    expect(explained('audit')).to.deep.equal([
      'Your request was admitted although it named no registered agent, and it was recorded for an audit.',
      'Responses carry the header X-Svc-Unverified-Warning until your agent is registered.',
      how,
    ])
    expect(explained('allow_partial')).to.deep.equal([
      'Without a registered agent you can browse and read here. Writing, transactions and payments are refused.',
      `Registering lifts these limits. ${how}`,
    ])
    expect(explained('allow_full')).to.deep.equal([
      'You have standard access without a registered agent, but no scoped token is issued to you.',
      `Registering is recommended: a registered agent gets a session and a record of its own. ${how}`,
    ])
    expect(decide('audit', 'archived').advisory.restrictionsExplained).to.deep.equal([
      'This endpoint accepts no requests at present. Registering your agent does not change that; try again later.',
    ])
  })

  it('gives the reason of the access as its own reason', () => {
    for (const policy of UNVERIFIED_AGENT_POLICIES) {
      const { access, recommendationReasons } = decide(policy)
      expect(recommendationReasons).to.deep.equal([access.reason])
    }
  })

  it('names the dimension of a denial', () => {
    expect(decide('deny').access.failures?.map(({ dimension }) => dimension)).to.deep.equal([
      'agent.identity',
    ])
  })

  it('is a denial at an endpoint that takes no requests, whatever its policy', () => {
    for (const status of ['deactivated', 'archived'] as const) {
      const decision = decide('audit', status)
      expect(decision.recommendation).to.equal('deny')
      expect(decision.eventType).to.equal('verification.unverified_deny')
      expect(decision.advisory.policy).to.equal('deny')
      expect(decision).not.to.have.property('warningHeader')
      expect(decision.access.failures?.map(({ dimension }) => dimension)).to.deep.equal([
        'counterparty.status',
      ])
    }
  })

  it('tells the developer where and how to register, unless that would not help', () => {
    for (const policy of UNVERIFIED_AGENT_POLICIES) {
      const text = decide(policy).advisory.restrictionsExplained.join(' ')
      expect(text).to.contain('https://svc.example/register').and.to.contain('X-Svc-Id')
      expect(decide(policy, 'archived').advisory.restrictionsExplained.join(' ')).not.to.contain('X-Svc-Id')
    }
  })

  it('names a recognised platform as a provisional agent without raising its access, whatever the evidence', () => {
    const platform = { svcId: 'SVC-a', id: 'openai', name: 'OpenAI crawlers', operator: 'OpenAI' }
    for (const policy of UNVERIFIED_AGENT_POLICIES) {
      for (const evidence of EVIDENCE_GRADES) {
        const { agent, ...rest } = decide(policy, 'active', { ...platform, evidence })
        expect(rest).to.deep.equal(decide(policy))
        expect(agent).to.deep.equal({
          svcId: 'SVC-a',
          name: 'OpenAI crawlers',
          agentStatus: 'provisional',
          ial: 1,
          evidence,
          platform: 'openai',
          operator: 'OpenAI',
        })
      }
    }
  })

  it('says that the endpoint requires a proof, and nothing of what it would admit', () => {
    const { endpoint, ...input } = buildVerifiedInput()
    const strict = {
      ...endpoint,
      unverifiedAgentPolicy: 'allow_full' as const,
      minIdentityProof: 'signature' as const,
    }
    const urls = { registrationUrl: 'https://svc.example/register', docsUrl: 'https://svc.example/docs' }
    const { access, advisory, eventType } = decideAnonymous({ ...input, endpoint: strict, ...urls })
    expect(access.failures?.map(({ dimension }) => dimension)).to.deep.equal(['agent.proof'])
    expect(access.failures?.[0]?.guidance).to.match(/Sign the request/)
    expect(advisory.restrictionsExplained).to.deep.equal([
      'This endpoint requires proof of which agent sends a request, and your request named none.',
      'Register your agent at https://svc.example/register and send its identifier in the header X-Svc-Id with every request.',
    ])
    expect(eventType).to.equal('verification.unverified_allow_full')
  })

  it('explains a refusal by the boundary, and how to register', () => {
    const { endpoint, ...input } = buildVerifiedInput({}, { resource: '/secret' })
    const policy = compilePolicy({ scope: { deniedResources: ['/secret'] } }, 'endpoint')
    const refusing = { ...endpoint, unverifiedAgentPolicy: 'audit' as const, policy }
    const urls = { registrationUrl: 'https://svc.example/register', docsUrl: 'https://svc.example/docs' }
    const decide = (version?: 1) =>
      decideAnonymous({ ...input, endpoint: refusing, ...urls, ...(version ? { version } : {}) })
    const refused = decide()
    expect(refused.recommendation).to.equal('deny')
    expect(refused.warningHeader).to.equal(undefined)
    expect(refused.eventType).to.equal('verification.unverified_audit')
    const [outside, ...rest] = refused.advisory.restrictionsExplained
    expect(outside).to.contain('outside what this endpoint allows')
    expect(rest).to.deep.equal(decide(1).advisory.restrictionsExplained)
    expect(decide(1).recommendation, 'the rules of version 1 did not apply the boundary').to.equal('audit')
  })
})
