import { compileApprovalRules } from '@svc/core/access/approvalRules.ts'
import { decideVerified } from '@svc/core/access/decideVerified.ts'
import type { StandingApproval, VerifiedInput } from '@svc/core/access/facts.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import { needsStandingApproval } from '@svc/core/access/standingApproval.ts'
import { addDecimals } from '@svc/core/decimal.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { buildVerifiedInput } from './buildVerifiedInput.ts'

const LIMITS = { autonomousThreshold: 10, stepUpThreshold: 50, approvalThreshold: 90 }
const GRADES = ['none', 'challenge', 'token', 'signature'] as const

type Asked = { cents: number; grade: IdentityProof; at: number }

/** A request of an agent whose owner is asked from 10, by an assertion of its own from 50, and which may not spend 90. */
function buildSpending({ cents, grade, at }: Asked, standing?: StandingApproval): VerifiedInput {
  const input = buildVerifiedInput({ now: at, standingApproval: standing }, { transactionValue: cents / 100 })
  const policy = compilePolicy({ limits: LIMITS }, 'agent')
  return {
    ...input,
    agent: { ...input.agent, policy, approvalRules: compileApprovalRules([]) },
    proof: { grade: grade === 'challenge' ? 'none' : grade, isWrong: false },
    challenge: grade === 'challenge' ? 'passed' : 'not_issued',
  }
}

const arbitraryAsked = fc.record({
  cents: fc.integer({ min: 0, max: 10_000 }),
  grade: fc.constantFrom(...GRADES),
  at: fc.integer({ min: 0, max: 100 }),
})

describe('a standing approval', () => {
  it('lets pass no more than its amount in all, and nothing late, unproven or beyond a threshold', () => {
    let passed = 0
    fc.assert(
      fc.property(
        fc.array(arbitraryAsked, { maxLength: 40 }),
        fc.integer({ min: 1, max: 50_000 }),
        fc.constantFrom(...GRADES),
        fc.integer({ min: 0, max: 100 }),
        (asked, amountCents, minIdentityProof, expiresAt) => {
          let usedCents = 0
          let used = '0'
          for (const one of asked) {
            const amount = String(amountCents / 100)
            const input = buildSpending(one, { amount, used, minIdentityProof, expiresAt })
            const decision = decideVerified(input)
            const fits =
              one.at < expiresAt &&
              GRADES.indexOf(one.grade) >= GRADES.indexOf(minIdentityProof) &&
              usedCents + one.cents <= amountCents
            expect(decision.usesStandingApproval).to.equal(one.cents >= 1_000 && one.cents < 5_000 && fits)
            if (!decision.usesStandingApproval) {
              const without = decideVerified(buildSpending(one))
              expect(decision).to.deep.equal(without)
              continue
            }
            passed += 1
            expect(decision).to.include({ recommendation: 'grant', consumesApproval: false })
            used = addDecimals(used, one.cents / 100)
            usedCents += one.cents
          }
          expect(usedCents).to.be.at.most(amountCents)
        },
      ),
      { numRuns: 500 },
    )
    expect(passed).to.be.greaterThan(0)
  })

  it('is read only where it could let the request pass', () => {
    fc.assert(
      fc.property(arbitraryAsked, (asked) => {
        const standing = { amount: '1000', used: '0', minIdentityProof: 'none', expiresAt: 101 } as const
        const { agent, endpoint, request, ...rest } = buildSpending(asked, standing)
        const { usesStandingApproval } = decideVerified({ agent, endpoint, request, ...rest })
        expect(needsStandingApproval(agent, endpoint, request)).to.equal(usesStandingApproval)
      }),
    )
  })

  it('says why the request is granted', () => {
    const standing = { amount: '20', used: '0', minIdentityProof: 'token', expiresAt: 2 } as const
    const decision = decideVerified(buildSpending({ cents: 2_000, grade: 'token', at: 1 }, standing))
    expect(decision.recommendationReasons[0]).to.equal(
      'The agent owner approved spending at this counterparty in advance.',
    )
    expect(decision.approvalDimensions).to.deep.equal(['commerce.intent.approval_required'])
  })
})
