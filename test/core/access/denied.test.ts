import { failureOf } from '@svc/core/access/failureOf.ts'
import { findingOf, HARD_DIMENSIONS } from '@svc/core/access/findings.ts'
import { denied } from '@svc/core/access/outcomes.ts'
import { expect } from 'chai'

/** Its own mandate, and that it did not answer for the request; not what the endpoint or its registration lacks. */
const AGAINST_AGENT = [
  'pdlss.purpose',
  'pdlss.action',
  'pdlss.duration',
  'pdlss.limits',
  'pdlss.rate',
  'pdlss.scope',
  'pdlss.selfInstantiation',
  'runtime.challenge',
]

describe('a denial', () => {
  for (const dimension of HARD_DIMENSIONS) {
    const isAgainst = AGAINST_AGENT.includes(dimension)
    it(`for ${dimension} ${isAgainst ? 'counts' : 'does not count'} against the agent`, () => {
      expect(denied(findingOf(dimension)).countsAgainstAgent).to.equal(isAgainst)
    })
  }

  it('for another reason does not count against the agent by what its owner would have been asked', () => {
    const asked = findingOf('commerce.intent.approval_required')
    expect(denied(findingOf('endpoint.limits') | asked).countsAgainstAgent).to.equal(false)
  })

  it('lists failures, says why with the first, and asks for nothing', () => {
    const asked = findingOf('commerce.intent.approval_required')
    const [first, second] = [failureOf('agent.status'), failureOf('endpoint.limits')]
    expect(denied(findingOf('endpoint.limits') | findingOf('agent.status') | asked)).to.deep.equal({
      recommendation: 'deny',
      access: {
        allowed: false,
        accessLevel: 'none',
        reason: first.message,
        failures: [first, second, failureOf('commerce.intent.approval_required')],
      },
      recommendationReasons: [first.message, second.message],
      approvalDimensions: ['commerce.intent.approval_required'],
      needsFreshAssertion: false,
      consumesApproval: false,
      countsAgainstAgent: false,
      sessionSeconds: 0,
    })
  })
})
