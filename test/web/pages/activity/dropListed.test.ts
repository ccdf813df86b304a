import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { expect } from 'chai'
import { dropListed } from '../../../../web/src/pages/activity/dropListed.ts'

const EVENT = {
  auditRecordId: '',
  eventType: 'verification.completed',
  occurredAt: '2026-01-05T00:00:00.000Z',
  agentId: null,
  endpointId: null,
  callerCategory: null,
  endpointCategory: null,
  eventData: {},
}

/** Events with these numbers, newest first. */
function events(newest: number, oldest: number): ActivityEvent[] {
  return Array.from({ length: newest - oldest + 1 }, (_, at) => ({ ...EVENT, id: String(newest - at) }))
}

describe('dropListed', () => {
  it('keeps the events newer than the newest in the list', () => {
    expect(dropListed(events(600, 1), events(590, 571))).to.deep.equal(events(600, 591))
  })

  it('keeps none if the list contains the newest', () => {
    expect(dropListed(events(600, 1), events(605, 580))).to.deep.equal([])
  })

  it('keeps all if the list ends before the oldest or is empty', () => {
    expect(dropListed(events(600, 101), events(100, 81))).to.deep.equal(events(600, 101))
    expect(dropListed(events(600, 101), [])).to.deep.equal(events(600, 101))
  })
})
