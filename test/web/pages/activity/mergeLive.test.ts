import type { ActivityItem } from '@svc/core/contract/activity.ts'
import { expect } from 'chai'
import { mergeLive } from '../../../../web/src/pages/activity/mergeLive.ts'

/** An event of a purchase with what it says of it. */
function event(purchaseId: string, outcome: ActivityItem['outcome']): ActivityItem {
  return { id: `${purchaseId}-${outcome}`, purchaseId, outcome, purchaseOutcome: outcome } as ActivityItem
}

describe('mergeLive', () => {
  const listed = [event('b', 'held'), event('a', 'granted')]
  const outcomesOf = (rows: readonly ActivityItem[]) =>
    rows.map(({ purchaseId, purchaseOutcome }) => [purchaseId, purchaseOutcome])

  it('changes the outcome of a listed purchase to the newest that an event states, in its place', () => {
    const live = [event('b', null), event('b', 'granted'), event('b', 'denied')]
    const { rows, fresh } = mergeLive(listed, live, '')
    expect(outcomesOf(rows)).to.deep.equal([
      ['b', 'granted'],
      ['a', 'granted'],
    ])
    expect(fresh).to.equal(0)
  })

  it('counts new purchases once, and leaves them out of the list', () => {
    const { rows, fresh } = mergeLive(
      listed,
      [event('c', 'granted'), event('c', 'held'), event('d', null)],
      '',
    )
    expect(rows).to.have.lengthOf(2)
    expect(fresh).to.equal(2)
  })

  it('counts only those of the outcome that the list is limited to', () => {
    const live = [event('c', null), event('c', 'granted'), event('d', 'denied'), event('e', null)]
    expect(mergeLive(listed, live, 'granted').fresh).to.equal(1)
  })

  it('shows a purchase once that two pages list', () => {
    expect(mergeLive([...listed, event('b', 'held')], [], '').rows).to.deep.equal(listed)
  })
})
