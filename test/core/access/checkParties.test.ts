import { decideAnonymous } from '@svc/core/access/decideAnonymous.ts'
import { decideVerified } from '@svc/core/access/decideVerified.ts'
import { REQUIRABLE_FACTS, type RequirableFact } from '@svc/core/access/facts.ts'
import { expect } from 'chai'
import { buildVerifiedInput } from './buildVerifiedInput.ts'

const COMPLETE = {
  purpose: 'shopping',
  resource: '/a',
  jurisdiction: 'DE',
  transactionValue: 1,
  currency: 'EUR',
  sessionDuration: 60,
}

const DIMENSIONS: Readonly<Record<RequirableFact, string>> = {
  purpose: 'endpoint.purpose',
  resource: 'endpoint.scope',
  jurisdiction: 'endpoint.scope',
  currency: 'endpoint.limits',
  sessionDuration: 'endpoint.duration',
}

function decide(requiredFacts: readonly RequirableFact[], request: object) {
  const input = buildVerifiedInput({}, request)
  return decideVerified({ ...input, endpoint: { ...input.endpoint, requiredFacts } })
}

const dimensionsOf = ({ access }: ReturnType<typeof decide>) =>
  (access.failures ?? []).map(({ dimension }) => dimension)

describe('facts that an endpoint requires a request to state', () => {
  for (const fact of REQUIRABLE_FACTS) {
    it(`deny a request that leaves out the ${fact}, on its dimension and not against the agent`, () => {
      const { [fact]: _, ...rest } = COMPLETE
      const decision = decide([fact], rest)
      expect(dimensionsOf(decision)).to.deep.equal([DIMENSIONS[fact]])
      expect(decision.access.failures?.[0]?.guidance).to.match(/^State /)
      expect(decision.countsAgainstAgent).to.equal(false)
      expect(decide([], rest).recommendation).to.equal('grant')
    })
  }

  it('grant a request that states them all', () => {
    expect(decide(REQUIRABLE_FACTS, COMPLETE).recommendation).to.equal('grant')
    expect(decide(['purpose'], { action: 'shopping.buy' }).recommendation).to.equal('grant')
  })

  it('take an action without a category for no purpose, which it was before version 7', () => {
    const input = buildVerifiedInput({}, { action: 'buy' })
    const requiredFacts = ['purpose' as const]
    const own = { ...input, agent: { ...input.agent, requiredFacts } }
    const theirs = { ...input, endpoint: { ...input.endpoint, requiredFacts } }
    expect(dimensionsOf(decideVerified(own))).to.deep.equal(['pdlss.purpose'])
    expect(dimensionsOf(decideVerified(theirs))).to.deep.equal(['endpoint.purpose'])
    for (const asked of [own, theirs]) {
      expect(decideVerified({ ...asked, version: 6 }).recommendation).to.equal('grant')
    }
    const endpoint = { ...theirs.endpoint, unverifiedAgentPolicy: 'audit' as const }
    const anonymous = { ...theirs, endpoint, registrationUrl: '/r', docsUrl: '/d' }
    expect(decideAnonymous(anonymous).recommendation).to.equal('deny')
    expect(decideAnonymous({ ...anonymous, version: 6 }).recommendation).to.equal('audit')
  })

  it('require a currency only beside a value', () => {
    expect(decide(['currency'], {}).recommendation).to.equal('grant')
    expect(dimensionsOf(decide(['currency'], { transactionValue: 0 }))).to.deep.equal(['endpoint.limits'])
  })

  it('hold for callers without identity, too', () => {
    const input = buildVerifiedInput()
    const endpoint = {
      ...input.endpoint,
      unverifiedAgentPolicy: 'audit' as const,
      requiredFacts: ['resource' as const],
    }
    const decision = decideAnonymous({ ...input, endpoint, registrationUrl: '/r', docsUrl: '/d' })
    expect(decision.access.failures?.map(({ dimension }) => dimension)).to.deep.equal(['endpoint.scope'])
  })
})

describe('a payment mandate', () => {
  it('that does not cover the request denies it, and counts against nobody', () => {
    const decision = decideVerified({ ...buildVerifiedInput(), mandate: { isWrong: true } })
    expect(decision.access.failures?.map(({ dimension }) => dimension)).to.deep.equal(['commerce.mandate'])
    expect(decision.countsAgainstAgent).to.equal(false)
  })

  it('that covers the request, or is not presented, changes nothing', () => {
    for (const mandate of [{ isWrong: false }, undefined])
      expect(decideVerified({ ...buildVerifiedInput(), mandate }).recommendation).to.equal('grant')
  })
})
