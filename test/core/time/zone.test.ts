import { isTimeZone, zoneOf } from '@svc/core/time/zone.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { FROM, UNTIL } from './wallClock.ts'

describe('zoneOf', () => {
  const offsetOf = (name: string, instant: string) => zoneOf(name).offsetAt(Date.parse(instant))

  it('uses the zone’s local mean time before standard time, also before our era', () => {
    const tokyo = 33_539_000
    for (const year of ['-000001', '-000400', '0001', '1600']) {
      const instant = `${year}-06-15T12:00:00Z`
      expect(offsetOf('Asia/Tokyo', instant), year).to.equal(tokyo)
    }
  })

  it('is one zone regardless of the case of its name', () => {
    expect(zoneOf('europe/berlin')).to.equal(zoneOf('Europe/Berlin'))
    expect(offsetOf('UTC', '2026-06-15T12:00:00Z')).to.equal(0)
    expect(offsetOf('utc', '2026-06-15T12:00:00Z')).to.equal(0)
  })

  it('returns the offset of the given hour, on either side of a change', () => {
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

describe('zones', () => {
  it('return the same offsets for instants in any order', () => {
    const zone = zoneOf('America/New_York')
    const fresh = (instant: number) =>
      Date.parse(
        `${new Date(instant).toLocaleString('sv-SE', { timeZone: 'America/New_York' }).replace(' ', 'T')}Z`,
      )
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: FROM / 1000, max: UNTIL / 1000 }), { maxLength: 20 }),
        (seconds) => {
          for (const second of seconds) {
            expect(second * 1000 + zone.offsetAt(second * 1000)).to.equal(fresh(second * 1000))
          }
        },
      ),
    )
  })

  it('are one per name, regardless of case', () => {
    expect(zoneOf('Europe/Berlin')).to.equal(zoneOf('europe/BERLIN'))
  })

  it('are exactly those of the IANA database', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Etc/GMT+5', 'America/Argentina/Ushuaia']) {
      expect(isTimeZone(name), name).to.equal(true)
    }
    for (const name of [
      '',
      'Mars/Olympus',
      '+02:00',
      'GMT+25',
      'Europe/Berlin ',
      'x'.repeat(100),
      '../etc',
    ]) {
      expect(isTimeZone(name), name).to.equal(false)
    }
  })
})
