import { expect } from 'chai'
import { groupDecisions } from '../../../../web/src/parts/decisions/groupDecisions.ts'

const NOW = new Date('2026-03-29T12:34:56Z')

describe('groupDecisions', () => {
  it('returns a bar for this hour and for each of the 23 hours before', () => {
    const bars = groupDecisions([], 'day', NOW)
    expect(bars.length).to.equal(24)
    expect(bars[0]?.start.toISOString()).to.equal('2026-03-28T13:00:00.000Z')
    expect(bars.at(-1)?.start.toISOString()).to.equal('2026-03-29T12:00:00.000Z')
  })

  it('returns a bar for each of the last seven calendar days, today last', () => {
    const bars = groupDecisions([], 'week', NOW)
    expect(bars.map(({ start }) => start.getDate())).to.deep.equal([23, 24, 25, 26, 27, 28, 29])
    expect(bars.every(({ start }) => start.getHours() === 0)).to.equal(true)
  })

  it('returns a bar for each of the last thirty calendar days', () => {
    const bars = groupDecisions([], 'month', NOW)
    expect(bars.length).to.equal(30)
    expect(bars.at(-1)?.start.getDate()).to.equal(29)
    expect(bars[0]?.start.getDate()).to.equal(28)
  })

  it('counts decisions by outcome and hour, and ignores other events', () => {
    const counts = {
      'verification.completed': 3,
      'verification.unverified_allow_partial': 1,
      'verification.unverified_audit': 1,
      'verification.step_up_required': 2,
      'verification.agent_not_found': 1,
      'approval.requested': 2,
      'agent.registered': 1,
    }
    const bars = groupDecisions([{ start: '2026-03-29T12:00:00.000Z', counts }], 'day', NOW)
    expect(bars.at(-1)?.counts).to.deep.equal({ grant: 4, audit: 1, step_up_required: 2, deny: 1 })
    expect(bars.at(-2)?.counts).to.deep.equal({ grant: 0, audit: 0, step_up_required: 0, deny: 0 })
  })

  it('ignores hours before the first bar', () => {
    const hours = [{ start: '2026-03-20T12:00:00.000Z', counts: { 'verification.completed': 3 } }]
    for (const period of ['day', 'week'] as const) {
      expect(groupDecisions(hours, period, NOW).every(({ counts }) => counts.grant === 0)).to.equal(true)
    }
  })
})
