import { resolveAccessLevel } from '@svc/core/access/decideVerified.ts'
import { UNVERIFIED_AGENT_POLICIES, type VerifiedInput } from '@svc/core/access/facts.ts'
import { expect } from 'chai'
import { verifiedInput } from './verifiedInput.ts'

const levelOf = (trustScore: number | undefined, requirement = 0, changes: Partial<VerifiedInput> = {}) => {
  const input = verifiedInput(changes)
  return resolveAccessLevel({ ...input, agent: { ...input.agent, trustScore } }, requirement)
}

describe('the access level of a registered agent', () => {
  it('follows its trust score', () => {
    const levels = [0, 19, 20, 39, 40, 69, 70, 100].map((score) => levelOf(score))
    expect(levels).to.deep.equal([
      'none',
      'none',
      'read-only',
      'read-only',
      'standard',
      'standard',
      'full',
      'full',
    ])
  })

  it('is none below what the endpoint asks for, and not at it', () => {
    expect([levelOf(59, 60), levelOf(60, 60)]).to.deep.equal(['none', 'standard'])
  })

  it('is restricted below it where callers without identity are let in', () => {
    const levels = UNVERIFIED_AGENT_POLICIES.map((unverifiedAgentPolicy) => {
      const { endpoint } = verifiedInput()
      return [
        unverifiedAgentPolicy,
        levelOf(10, 0, { endpoint: { ...endpoint, unverifiedAgentPolicy } }),
      ] as const
    })
    expect(Object.fromEntries(levels)).to.deep.equal({
      deny: 'none',
      audit: 'none',
      allow_partial: 'restricted',
      allow_full: 'restricted',
    })
  })

  it('is internal for the endpoint’s own owner whatever the score, and standard where the score is not known', () => {
    expect(levelOf(0, 100, { sharesOwner: true })).to.equal('internal')
    expect(levelOf(undefined, 100)).to.equal('standard')
  })
})
