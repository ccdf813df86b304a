import { expect } from 'chai'
import {
  listQueryOf,
  liveQueryOf,
  readActivityAddress,
} from '../../../../web/src/pages/activity/activityAddress.ts'

const NOW = Date.UTC(2026, 2, 2, 12, 30, 15)

describe('the address of the activity', () => {
  const query = (search: string) => listQueryOf(readActivityAddress(new URLSearchParams(search)), NOW)

  it('counts a period back from the current minute', () => {
    expect(query('period=hour')).to.include({ since: '2026-03-02T11:30:00.000Z', perPurchase: 'true' })
    expect(query('period=never')).to.not.have.property('since')
  })

  it('includes both dates of a range, in the time zone of the reader', () => {
    const { since, until } = query('period=dates&from=2026-03-01&to=2026-03-02')
    expect(since).to.equal(new Date(2026, 2, 1).toISOString())
    expect(until).to.equal(new Date(2026, 2, 3).toISOString())
  })

  it('leaves what is no date to the service to refuse', () => {
    expect(query('period=dates&from=yesterday')).to.include({ since: 'yesterday', until: '' })
  })

  it('asks for amounts only with a currency', () => {
    expect(query('amountMin=5')).to.not.have.property('amountMin')
    expect(query('amountMin=5&currency=EUR')).to.include({ amountMin: '5', currency: 'EUR' })
  })

  it('filters live events by all but outcome, time and order', () => {
    const address = readActivityAddress(new URLSearchParams('agent=a&outcome=held&period=day&order=oldest'))
    const named = Object.entries(liveQueryOf(address)).filter(([, value]) => value !== '')
    expect(named).to.deep.equal([['agent', 'a']])
  })
})
