import { PROOF_CAUSES } from '@svc/core/access/failureCauses.ts'
import { failureOf } from '@svc/core/access/failureOf.ts'
import { findingOf } from '@svc/core/access/findings.ts'
import type { PresentedProof } from '@svc/core/access/identityProof.ts'
import { nameProofCause, proofFailureOf } from '@svc/core/access/nameProofCause.ts'
import { deny } from '@svc/core/access/outcomes.ts'
import { expect } from 'chai'

const WRONG = { grade: 'none', isWrong: true } as const

describe('the cause of a failed proof', () => {
  const DENIED = deny(findingOf('agent.proof'), false)

  it('has a text of its own, without a number, and is always the same object', () => {
    for (const cause of PROOF_CAUSES) {
      const failure = proofFailureOf(cause)
      expect(failure).to.include({ dimension: 'agent.proof', cause })
      expect(failure.message).to.match(/^[A-Z].*\.$/)
      expect(failure.guidance).to.match(/^[A-Z].*\.$/)
      expect(`${failure.message} ${failure.guidance}`).not.to.match(/\d/)
      expect(failure.message).not.to.equal(failureOf('agent.proof').message)
      expect(proofFailureOf(cause)).to.equal(failure)
    }
    const { guidance } = proofFailureOf('not_reported')
    expect(guidance).to.match(/^Hand over in callerMetadata .*contentDigest.*captureBody/)
  })

  it('is named as the record of the decision says, also by one from before causes', () => {
    const named = (proof: PresentedProof) =>
      nameProofCause(DENIED, proof).access.failures?.map(({ cause }) => cause)
    expect(named({ ...WRONG, cause: 'replayed' })).to.deep.equal(['replayed'])
    expect(named({ ...WRONG, isIncomplete: true })).to.deep.equal(['not_reported'])
    expect(nameProofCause(DENIED, WRONG)).to.equal(DENIED)
    expect(nameProofCause(DENIED, undefined)).to.equal(DENIED)
  })

  it('changes the texts of that failure, and nothing else of the decision', () => {
    const proof = { ...WRONG, cause: 'expired' } as const
    const failure = proofFailureOf('expired')
    const alone = nameProofCause(DENIED, proof)
    expect([alone.access.reason, ...alone.recommendationReasons]).to.deep.equal([
      failure.message,
      failure.message,
    ])
    const spend = findingOf('commerce.intent.approval_required')
    const before = deny(findingOf('agent.status') | findingOf('agent.proof') | spend)
    const { access, recommendationReasons, ...rest } = nameProofCause(before, proof)
    const { access: _, recommendationReasons: reasons, ...restBefore } = before
    expect(rest).to.deep.equal(restBefore)
    expect(access.reason).to.equal(before.access.reason)
    const dimensions = (failures: typeof access.failures) => failures?.map(({ dimension }) => dimension)
    expect(dimensions(access.failures)).to.deep.equal(dimensions(before.access.failures))
    expect(access.failures).to.include(failure)
    expect(recommendationReasons).to.have.length(reasons.length).and.to.include(failure.message)
    const other = deny(findingOf('agent.status'))
    expect(nameProofCause(other, proof)).to.equal(other)
  })
})
