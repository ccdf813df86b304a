import { decideVerified, resolveAccessLevel } from '@svc/core/access/decideVerified.ts'
import type { AccessLevel, Decision } from '@svc/core/access/decision.ts'
import { UNVERIFIED_AGENT_POLICIES, type VerifiedInput } from '@svc/core/access/facts.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { expect } from 'chai'
import { buildVerifiedInput } from './buildVerifiedInput.ts'

const levelOf = (trustScore: number | undefined, requirement = 0, changes: Partial<VerifiedInput> = {}) => {
  const input = buildVerifiedInput(changes)
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

  it('is none below the score that the endpoint requires, but not at it', () => {
    expect([levelOf(59, 60), levelOf(60, 60)]).to.deep.equal(['none', 'standard'])
  })

  it('is restricted below it where callers without identity are admitted', () => {
    const levels = UNVERIFIED_AGENT_POLICIES.map((unverifiedAgentPolicy) => {
      const { endpoint } = buildVerifiedInput()
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

  it('is internal for the endpoint’s own owner whatever the score, and standard if the score is unknown', () => {
    expect(levelOf(0, 100, { sharesOwner: true })).to.equal('internal')
    expect(levelOf(undefined, 100)).to.equal('standard')
  })

  it('denies where it is below the least that the request needs', () => {
    const decide = (
      trustScore: number,
      minAccessLevel: AccessLevel,
      changes: Partial<VerifiedInput> = {},
    ) => {
      const input = buildVerifiedInput(changes)
      const asked = { ...input.request, minAccessLevel }
      return decideVerified({ ...input, agent: { ...input.agent, trustScore }, request: asked })
    }
    const failuresOf = ({ access }: Decision) =>
      access.failures?.map(({ dimension, cause }) => [dimension, cause])
    expect(decide(70, 'full').access.accessLevel).to.equal('full')
    const low = decide(69, 'full')
    expect(failuresOf(low)).to.deep.equal([['trust.score', 'level_too_low']])
    expect([low.countsAgainstAgent, low.sessionSeconds]).to.deep.equal([false, 0])
    expect(failuresOf(decide(100, 'internal'))).to.deep.equal([['trust.score', 'level_too_low']])
    expect(decide(0, 'internal', { sharesOwner: true }).recommendation).to.equal('grant')
    expect(failuresOf(decide(10, 'full'))).to.deep.equal([['trust.score', undefined]])
    expect(failuresOf(decide(69, 'full', { isForeignDryRun: true }))).to.deep.equal([['mandate', undefined]])
  })

  it('does not compare a trust score that is not known with what the endpoint requires of its counterparties', () => {
    const input = buildVerifiedInput()
    const policy = compilePolicy({ scope: { minCounterpartyTrustScore: 90 } }, 'endpoint')
    const decide = (trustScore: number | undefined) =>
      decideVerified({
        ...input,
        agent: { ...input.agent, trustScore },
        endpoint: { ...input.endpoint, policy },
      }).recommendation
    expect([decide(undefined), decide(89), decide(90)]).to.deep.equal(['grant', 'deny', 'grant'])
  })
})
