import { zoneOf } from '@svc/core/time/zone.ts'
import { expect } from 'chai'

describe('zoneOf', () => {
  const offsetOf = (name: string, instant: string) => zoneOf(name).offsetAt(Date.parse(instant))

  it('is right before our era, at what stood for the zone then', () => {
    const tokyo = 33_539_000
    for (const year of ['-000001', '-000400', '0001', '1600']) {
      const instant = `${year}-06-15T12:00:00Z`
      expect(offsetOf('Asia/Tokyo', instant), year).to.equal(tokyo)
    }
  })

  it('is one zone by whatever letters it is named', () => {
    expect(zoneOf('europe/berlin')).to.equal(zoneOf('Europe/Berlin'))
    expect(offsetOf('UTC', '2026-06-15T12:00:00Z')).to.equal(0)
    expect(offsetOf('utc', '2026-06-15T12:00:00Z')).to.equal(0)
  })

  it('is of the hour in which it is asked, on either side of a change', () => {
    const before = '2026-03-29T00:59:59.999Z'
    const after = '2026-03-29T01:00:00.000Z'
    for (const order of [
      [before, after],
      [after, before],
    ]) {
      const offsets = order.map((instant) => offsetOf('Europe/Berlin', instant) / 3_600_000)
      expect(offsets).to.deep.equal(order.map((instant) => (instant === before ? 1 : 2)))
    }
  })
})
