import { expect } from 'chai'
import { decideSample, type SamplePurpose } from '../../../../web/src/pages/landing/decideSample.ts'

const NOW = Date.UTC(2026, 10, 24, 12)

describe('the sample decision of the landing page', () => {
  const decide = (purpose: SamplePurpose, value: number) => {
    const { recommendation, failures } = decideSample(purpose, value, NOW)
    return [recommendation, ...failures.map(({ dimension }) => dimension)]
  }

  it('is granted below the amount from which the owner wants to be asked', () => {
    expect(decide('shopping:buy', 0)).to.deep.equal(['grant'])
    expect(decide('shopping:buy', 40)).to.deep.equal(['grant'])
  })

  it('is held from there on', () => {
    expect(decide('shopping:buy', 50)[0]).to.equal('step_up_required')
    expect(decide('shopping:buy', 390)[0]).to.equal('step_up_required')
  })

  it('is denied as soon as one of both sides does not allow it', () => {
    expect(decide('shopping:buy', 400)).to.deep.equal(['deny', 'endpoint.limits'])
    expect(decide('shopping:buy', 500)).to.include('pdlss.limits')
    expect(decide('finance:transfer', 10)).to.deep.equal(['deny', 'pdlss.purpose'])
  })
})
