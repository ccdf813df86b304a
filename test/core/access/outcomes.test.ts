import { failureOf } from '@svc/core/access/failureOf.ts'
import {
  APPROVAL_DIMENSIONS,
  findingOf,
  HARD_DIMENSIONS,
  NOTHING,
  UNREGISTERED_NOTICE,
} from '@svc/core/access/findings.ts'
import {
  deny,
  denyByOwner,
  denyUnknownAgent,
  grant,
  holdForApproval,
  isApprovalSufficient,
} from '@svc/core/access/outcomes.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'
import { buildVerifiedInput } from './buildVerifiedInput.ts'

const WITHIN = 'The request is within the mandate of the agent and the policy of the endpoint.'
const UNREGISTERED = 'The counterparty is not a registered endpoint.'
const APPROVED = 'The agent owner approved this request.'
const ASKED = findingOf('commerce.intent.approval_required')

describe('a grant', () => {
  it('gives its reason, including the owner’s approval and an unregistered counterparty', () => {
    const reasonsOf = (findings: number) =>
      grant(buildVerifiedInput(), findings, 'full').recommendationReasons
    expect(reasonsOf(NOTHING)).to.deep.equal([WITHIN])
    expect(reasonsOf(UNREGISTERED_NOTICE)).to.deep.equal([WITHIN, UNREGISTERED])
    expect(reasonsOf(ASKED)).to.deep.equal([APPROVED, WITHIN])
    expect(reasonsOf(ASKED | UNREGISTERED_NOTICE)).to.deep.equal([APPROVED, WITHIN, UNREGISTERED])
  })

  it('names what the owner approved', () => {
    const { approvalDimensions } = grant(buildVerifiedInput(), ASKED, 'full')
    expect(approvalDimensions).to.deep.equal(['commerce.intent.approval_required'])
    const plain = grant(buildVerifiedInput(), NOTHING, 'full')
    expect(plain).to.include({ needsFreshAssertion: false, countsAgainstAgent: false })
    expect(plain.approvalDimensions).to.deep.equal([])
  })

  it('consumes an approval of its attempt, also if nothing asks for it', () => {
    const approval = { dimensions: [], approved: true, isFreshAssertion: true }
    for (const findings of [ASKED, NOTHING]) {
      const consumes = (approved?: boolean) => {
        const given = approved === undefined ? null : { ...approval, approved }
        return grant({ ...buildVerifiedInput(), approval: given }, findings, 'full').consumesApproval
      }
      expect([undefined, false, true].map(consumes)).to.deep.equal([false, false, true])
    }
  })

  it('has the access level that was found', () => {
    for (const level of ['restricted', 'read-only', 'standard', 'full', 'internal'] as const) {
      const { access } = grant(buildVerifiedInput(), NOTHING, level)
      expect(access).to.include({ allowed: true, accessLevel: level })
    }
  })

  it('lasts as long as requested, else as the shorter boundary allows, else an hour', () => {
    const secondsOf = (agent: Pdlss, endpoint: Pdlss, request: object = {}) => {
      const input = buildVerifiedInput({}, request)
      return grant(
        {
          ...input,
          agent: { ...input.agent, policy: compilePolicy(agent, 'agent') },
          endpoint: { ...input.endpoint, policy: compilePolicy(endpoint, 'endpoint') },
        },
        NOTHING,
        'full',
      ).sessionSeconds
    }
    const atMost = (maxSessionDuration: number) => ({ duration: { maxSessionDuration } })
    expect(secondsOf({}, {})).to.equal(3600)
    expect(secondsOf(atMost(600), {})).to.equal(600)
    expect(secondsOf({}, atMost(7200))).to.equal(7200)
    expect(secondsOf(atMost(600), atMost(300))).to.equal(300)
    expect(secondsOf(atMost(600), atMost(900), { sessionDuration: 60 })).to.equal(60)
  })
})

/** Violations of its own mandate, and a failed challenge, but no shortcomings of the endpoint or the registration. */
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
  const WITHHELD = { 'runtime.challenge': 'withheld' } as const

  for (const dimension of HARD_DIMENSIONS) {
    const isAgainst = AGAINST_AGENT.includes(dimension)
    it(`for ${dimension} ${isAgainst ? 'counts' : 'does not count'} against the agent`, () => {
      expect(deny(findingOf(dimension)).countsAgainstAgent).to.equal(isAgainst)
    })
  }

  it('for another reason does not count against the agent because its owner would have been asked', () => {
    const toApprove = findingOf('commerce.intent.approval_required')
    expect(deny(findingOf('endpoint.limits') | toApprove).countsAgainstAgent).to.equal(false)
  })

  it('says of a challenge that was withheld to retry later, and never counts it against the agent', () => {
    const withheld = deny(findingOf('runtime.challenge'), true, WITHHELD)
    expect(withheld.countsAgainstAgent).to.equal(false)
    expect(withheld.access.failures?.map(({ dimension }) => dimension)).to.deep.equal(['runtime.challenge'])
    expect(withheld.access.failures?.[0]?.guidance).to.match(/^Retry in a minute/)
    expect(withheld.recommendationReasons).to.deep.equal([withheld.access.reason])
    const beyond = deny(findingOf('runtime.challenge') | findingOf('pdlss.limits'), true, WITHHELD)
    expect(beyond.countsAgainstAgent).to.equal(true)
  })

  it('says why a dimension failed, and only of one that did', () => {
    const causes = { 'pdlss.purpose': 'not_stated' } as const
    const { access } = deny(findingOf('pdlss.purpose'), false, causes)
    expect(access.failures?.[0]).to.include({ dimension: 'pdlss.purpose', cause: 'not_stated' })
    const other = deny(findingOf('agent.status'), false, causes)
    expect(other.access.failures).to.deep.equal([failureOf('agent.status')])
  })

  it('lists failures, takes its reason from the first, and requests no approval', () => {
    const toApprove = findingOf('commerce.intent.approval_required')
    const [first, second] = [failureOf('agent.status'), failureOf('endpoint.limits')]
    expect(deny(findingOf('endpoint.limits') | findingOf('agent.status') | toApprove)).to.deep.equal({
      recommendation: 'deny',
      access: {
        allowed: false,
        accessLevel: 'none',
        reason: first.message,
        failures: [first, second, failureOf('commerce.intent.approval_required', 'not_asked')],
      },
      recommendationReasons: [first.message, second.message],
      approvalDimensions: ['commerce.intent.approval_required'],
      needsFreshAssertion: false,
      consumesApproval: false,
      usesStandingApproval: false,
      countsAgainstAgent: false,
      sessionSeconds: 0,
    })
  })
})

/** A spend of a value where either boundary requires a fresh assertion from a threshold on. */
function buildSpend(value: number | undefined, { agentFrom = 300, endpointFrom = 200 } = {}) {
  const limitsFrom = (stepUpThreshold: number) => ({ limits: { stepUpThreshold, currency: 'USD' } })
  const input = buildVerifiedInput(
    {},
    value === undefined ? {} : { transactionValue: value, currency: 'USD' },
  )
  return {
    ...input,
    agent: { ...input.agent, policy: compilePolicy(limitsFrom(agentFrom), 'agent') },
    endpoint: { ...input.endpoint, policy: compilePolicy(limitsFrom(endpointFrom), 'endpoint') },
  }
}

describe('a fresh assertion', () => {
  const PURPOSE = findingOf('pdlss.purpose.approval_required')

  it('is required for spend from the lower threshold on, whether held or granted', () => {
    for (const [value, isRequired] of [
      [199.99, false],
      [200, true],
      [500, true],
    ] as const) {
      for (const thresholds of [{}, { agentFrom: 200, endpointFrom: 300 }]) {
        const input = buildSpend(value, thresholds)
        expect(holdForApproval(input, ASKED).needsFreshAssertion, `${value} held`).to.equal(isRequired)
        expect(grant(input, ASKED, 'full').needsFreshAssertion, `${value} granted`).to.equal(isRequired)
      }
    }
  })

  it('is not required without spend, nor for an approval of anything else', () => {
    expect(holdForApproval(buildSpend(undefined), ASKED).needsFreshAssertion).to.equal(false)
    expect(holdForApproval(buildSpend(500), PURPOSE).needsFreshAssertion).to.equal(false)
    expect(grant(buildSpend(500), NOTHING, 'full').needsFreshAssertion).to.equal(false)
  })

  it('is part of a sufficient approval', () => {
    const dimensions = ['commerce.intent.approval_required'] as const
    const isSufficient = (value: number, isFreshAssertion: boolean, approved = true) =>
      isApprovalSufficient(
        { ...buildSpend(value), approval: { approved, isFreshAssertion, dimensions } },
        ASKED,
      )
    expect(isSufficient(199.99, false)).to.equal(true)
    expect(isSufficient(200, false)).to.equal(false)
    expect(isSufficient(200, true)).to.equal(true)
    expect(isSufficient(200, true, false)).to.equal(false)
    expect(isApprovalSufficient(buildSpend(100), ASKED)).to.equal(false)
  })

  it('does not extend an approval to other dimensions', () => {
    const approval = { approved: true, isFreshAssertion: true, dimensions: [] }
    expect(isApprovalSufficient({ ...buildSpend(500), approval }, ASKED)).to.equal(false)
  })
})

describe('a request on hold', () => {
  it('asks the owner about each dimension, and grants, consumes and counts nothing', () => {
    const failure = failureOf('commerce.intent.approval_required')
    expect(holdForApproval(buildVerifiedInput(), ASKED)).to.deep.equal({
      recommendation: 'step_up_required',
      access: {
        allowed: false,
        accessLevel: 'none',
        reason: 'The agent owner must approve this request.',
        failures: [failure],
      },
      recommendationReasons: [failure.message],
      approvalDimensions: ['commerce.intent.approval_required'],
      needsFreshAssertion: false,
      consumesApproval: false,
      usesStandingApproval: false,
      countsAgainstAgent: false,
      sessionSeconds: 0,
    })
  })
})

describe('a denial by the owner', () => {
  it('gives that reason, and consumes and counts nothing', () => {
    const reason = 'The agent owner denied this request.'
    expect(denyByOwner(ASKED)).to.deep.equal({
      recommendation: 'deny',
      access: {
        allowed: false,
        accessLevel: 'none',
        reason,
        failures: [failureOf('commerce.intent.approval_required', 'denied_by_owner')],
      },
      recommendationReasons: [reason],
      approvalDimensions: ['commerce.intent.approval_required'],
      needsFreshAssertion: false,
      consumesApproval: false,
      usesStandingApproval: false,
      countsAgainstAgent: false,
      sessionSeconds: 0,
    })
  })
})

describe('what the owner would approve, in a denial', () => {
  it('says why there is nothing to wait for, and only in a denial', () => {
    for (const dimension of APPROVAL_DIMENSIONS) {
      const held = failureOf(dimension)
      expect(held.guidance, dimension).to.match(/^Hold the request/)
      const [byOwner] = denyByOwner(findingOf(dimension)).access.failures ?? []
      const [, unasked] = deny(findingOf('pdlss.scope') | findingOf(dimension)).access.failures ?? []
      expect(byOwner).to.include({ dimension, cause: 'denied_by_owner', message: held.message })
      expect(unasked).to.include({ dimension, cause: 'not_asked', message: held.message })
      for (const failure of [byOwner, unasked]) expect(failure?.guidance, dimension).to.not.match(/Hold|poll/)
    }
    expect(failureOf('pdlss.scope', 'denied_by_owner')).to.equal(failureOf('pdlss.scope'))
  })
})

describe('a denial of an unregistered agent', () => {
  it('tells a malformed identifier from an unknown one, and nothing of credentials', () => {
    const causeOf = (named: Parameters<typeof denyUnknownAgent>[0]) =>
      denyUnknownAgent(named).access.failures?.[0]?.cause
    expect(causeOf({ agentId: `SVC-${'0'.repeat(22)}` })).to.equal('unknown_agent')
    for (const agentId of ['SVC-1', `svc-${'0'.repeat(22)}`, 'my-agent', `SVCE-${'0'.repeat(22)}`]) {
      expect(causeOf({ agentId }), agentId).to.equal('malformed')
    }
    const credentials = [{ type: 'did' as const, value: 'did:web:a.example' }]
    expect(causeOf({ agentId: 'SVC-1', credentials })).to.equal(undefined)
    expect(causeOf({ credentials })).to.equal(undefined)
  })

  it('is on its identity only', () => {
    const { recommendation, access, countsAgainstAgent } = denyUnknownAgent()
    const failure = failureOf('agent.identity')
    expect({ recommendation, countsAgainstAgent }).to.deep.equal({
      recommendation: 'deny',
      countsAgainstAgent: false,
    })
    expect(access).to.deep.equal({
      allowed: false,
      accessLevel: 'none',
      reason: failure.message,
      failures: [failure],
    })
  })
})
