import { decideVerified } from '@svc/core/access/decideVerified.ts'
import type { VerifiedInput } from '@svc/core/access/facts.ts'
import {
  determineIdentityProof,
  IDENTITY_PROOFS,
  type IdentityProof,
  isProofSufficient,
  type PresentedProof,
  pickStricterProof,
} from '@svc/core/access/identityProof.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { expect } from 'chai'
import { buildVerifiedInput } from './buildVerifiedInput.ts'

const { agent, endpoint } = buildVerifiedInput()

function failed(varied: Partial<VerifiedInput>): string[] {
  return (decideVerified(buildVerifiedInput(varied)).access.failures ?? []).map(({ dimension }) => dimension)
}

function shown(proof: PresentedProof | undefined, challenge: VerifiedInput['challenge'] = 'not_issued') {
  return determineIdentityProof({ proof, challenge })
}

describe('the proof of an identity', () => {
  it('is the strongest of what is presented and of the challenge', () => {
    expect(shown(undefined)).to.equal('none')
    expect(shown({ grade: 'none', isWrong: false }, 'passed')).to.equal('challenge')
    expect(shown({ grade: 'token', isWrong: false }, 'passed')).to.equal('token')
    expect(shown({ grade: 'signature', isWrong: false })).to.equal('signature')
    expect(shown({ grade: 'none', isWrong: false }, 'failed')).to.equal('none')
  })

  it('is none if anything presented is wrong, even beside something that holds', () => {
    expect(shown({ grade: 'signature', isWrong: true }, 'passed')).to.equal('none')
  })

  it('suffices from the required grade on', () => {
    const sufficient = IDENTITY_PROOFS.map((required) =>
      IDENTITY_PROOFS.filter((grade) => isProofSufficient(grade, required)),
    )
    expect(sufficient.map((grades) => grades.length)).to.deep.equal([4, 3, 2, 1])
    expect(pickStricterProof('token', 'challenge')).to.equal('token')
    expect(pickStricterProof(undefined, 'signature')).to.equal('signature')
    expect(pickStricterProof(undefined, undefined)).to.equal('none')
  })
})

describe('decideVerified with a required proof', () => {
  const requiring = (side: 'agent' | 'endpoint', minIdentityProof: IdentityProof): Partial<VerifiedInput> =>
    side === 'agent'
      ? { agent: { ...agent, minIdentityProof } }
      : { endpoint: { ...endpoint, minIdentityProof } }

  for (const side of ['agent', 'endpoint'] as const) {
    it(`denies a weaker proof than the ${side} requires, and grants one that suffices`, () => {
      const token = { grade: 'token', isWrong: false } as const
      expect(failed({ ...requiring(side, 'signature'), proof: token })).to.deep.equal(['agent.proof'])
      expect(failed({ ...requiring(side, 'token'), proof: token })).to.deep.equal([])
      const none = { grade: 'none', isWrong: false } as const
      expect(failed({ ...requiring(side, 'challenge'), proof: none })).to.deep.equal(['agent.proof'])
      expect(failed({ ...requiring(side, 'challenge'), proof: none, challenge: 'passed' })).to.deep.equal([])
    })
  }

  it('denies a wrong proof even where none is required, and counts that against nobody', () => {
    const wrong = decideVerified(buildVerifiedInput({ proof: { grade: 'signature', isWrong: true } }))
    expect([wrong.recommendation, wrong.countsAgainstAgent]).to.deep.equal(['deny', false])
    expect(wrong.access.failures?.map(({ dimension }) => dimension)).to.deep.equal(['agent.proof'])
  })

  it('checks no proof that is not known', () => {
    expect(failed({ ...requiring('endpoint', 'signature'), proof: undefined })).to.deep.equal([])
  })
})

describe('decideVerified with an approval', () => {
  const held = (
    shown: IdentityProof,
    minIdentityProof: IdentityProof | undefined,
    status: string,
    transactionValue = 50,
  ) => {
    const asking = buildVerifiedInput({}, { transactionValue })
    return decideVerified({
      ...asking,
      agent: {
        ...agent,
        policy: compilePolicy({ limits: { autonomousThreshold: 10, approvalThreshold: 90 } }, 'agent'),
      },
      proof: { grade: shown === 'challenge' ? 'none' : shown, isWrong: false },
      challenge: shown === 'challenge' ? 'passed' : 'not_issued',
      approval: {
        dimensions: ['commerce.intent.approval_required'],
        ...{ approved: status === 'approved', denied: status === 'denied', isFreshAssertion: true },
        minIdentityProof,
      },
    })
  }

  it('needs at least the proof that the request was held with, whatever the owner decided', () => {
    for (const shown of IDENTITY_PROOFS) {
      for (const required of IDENTITY_PROOFS) {
        for (const status of ['pending', 'approved', 'denied']) {
          const decision = held(shown, required, status)
          if (isProofSufficient(shown, required)) {
            expect(decision).to.deep.equal(held(shown, undefined, status))
          } else {
            expect(decision).to.include({ recommendation: 'deny', countsAgainstAgent: false })
            expect(decision.access.failures?.[0]?.dimension).to.equal('agent.proof')
          }
        }
      }
    }
  })

  it('uses it up only with that proof, also where nothing asks for approval', () => {
    for (const shown of IDENTITY_PROOFS) {
      for (const required of IDENTITY_PROOFS) {
        const { recommendation, consumesApproval } = held(shown, required, 'approved', 5)
        expect(recommendation).to.equal('grant')
        expect(consumesApproval).to.equal(isProofSufficient(shown, required))
      }
    }
  })

  it('is granted whatever it proves if the record does not say how the request was held', () => {
    expect(held('none', undefined, 'approved').recommendation).to.equal('grant')
  })
})

describe('decideVerified with facts that the agent’s owner requires', () => {
  for (const [fact, dimension] of [
    ['purpose', 'pdlss.purpose'],
    ['resource', 'pdlss.scope'],
    ['jurisdiction', 'pdlss.scope'],
    ['sessionDuration', 'pdlss.duration'],
  ] as const) {
    it(`denies a request without ${fact} on ${dimension}`, () => {
      expect(failed({ agent: { ...agent, requiredFacts: [fact] } })).to.deep.equal([dimension])
    })
  }

  it('requires a currency only beside a value', () => {
    const requiring = { agent: { ...agent, requiredFacts: ['currency'] as const } }
    expect(failed(requiring)).to.deep.equal([])
    const { request } = buildVerifiedInput({}, { transactionValue: 5 })
    expect(failed({ ...requiring, request })).to.deep.equal(['pdlss.limits'])
  })
})
