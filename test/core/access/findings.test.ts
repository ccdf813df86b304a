import { CAUSE_TEXTS } from '@svc/core/access/causeTexts.ts'
import type { FailureCause } from '@svc/core/access/failureCauses.ts'
import { failureOf } from '@svc/core/access/failureOf.ts'
import {
  APPROVAL_DIMENSIONS,
  APPROVAL_FINDINGS,
  approvalDimensionsOf,
  findingOf,
  HARD_DIMENSIONS,
  HARD_FINDINGS,
  hardDimensionsOf,
  UNREGISTERED_NOTICE,
} from '@svc/core/access/findings.ts'
import { expect } from 'chai'

describe('findings', () => {
  const all = [...HARD_DIMENSIONS, ...APPROVAL_DIMENSIONS]

  it('assign every dimension its own bit, all within one signed 32-bit integer', () => {
    const bits = [...all.map(findingOf), UNREGISTERED_NOTICE]
    expect(new Set(bits).size).to.equal(bits.length)
    expect(bits.reduce((sum, bit) => sum + bit)).to.be.below(2 ** 31)
  })

  it('are read back in the order of the tables', () => {
    expect(hardDimensionsOf(HARD_FINDINGS | APPROVAL_FINDINGS)).to.deep.equal([...HARD_DIMENSIONS])
    expect(approvalDimensionsOf(HARD_FINDINGS | APPROVAL_FINDINGS)).to.deep.equal([...APPROVAL_DIMENSIONS])
  })

  it('have a text for every dimension that says what failed and what to do next', () => {
    for (const dimension of all) {
      const failure = failureOf(dimension)
      expect(failure.dimension).to.equal(dimension)
      expect(failure.message).to.match(/^[A-Z].*\.$/)
      expect(failure.guidance).to.match(/^[A-Z].*\.$/)
      expect(`${failure.message} ${failure.guidance}`).not.to.match(/\d/)
      expect(failureOf(dimension)).to.equal(failure)
    }
  })

  it('have a text for every cause, which names no number either and is always the same object', () => {
    for (const dimension of all) {
      for (const cause of Object.keys(CAUSE_TEXTS[dimension] ?? {}) as FailureCause[]) {
        const failure = failureOf(dimension, cause)
        expect(failure).to.include({ dimension, cause })
        expect(failure.message).to.match(/^[A-Z].*\.$/)
        expect(failure.guidance).to.match(/^[A-Z].*\.$/)
        expect(`${failure.message} ${failure.guidance}`).not.to.match(/\d/)
        expect(failure.message).not.to.equal(failureOf(dimension).message)
        expect(failureOf(dimension, cause)).to.equal(failure)
      }
    }
    expect(failureOf('agent.status', 'expired')).to.equal(failureOf('agent.status'))
  })

  it('promise nothing impossible: boundaries stay as registered, and owners add no certifications', () => {
    for (const dimension of all) {
      const { guidance } = failureOf(dimension)
      expect(guidance).not.to.match(/agent owner can [^.;]*(change|add)/)
      expect(guidance).not.to.match(/owner can [^.;]*certif/)
    }
  })
})
