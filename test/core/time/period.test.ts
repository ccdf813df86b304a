import { findPeriodEnd, findPeriodStart, PERIODS, type Period } from '@svc/core/time/period.ts'
import { zoneOf } from '@svc/core/time/zone.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'
import { FROM, HOUR, UNTIL, wall, ZONES } from './wallClock.ts'

describe('periods', () => {
  const instant = fc.integer({ min: FROM, max: UNTIL })

  it('begin at or before now, and the start of a start is itself', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.constantFrom(...PERIODS), instant, (name, period, now) => {
        const zone = zoneOf(name)
        const start = findPeriodStart(period, now, zone)
        expect(start).to.be.at.most(now)
        if (period !== 'total') expect(findPeriodStart(period, start, zone), `${name} ${now}`).to.equal(start)
      }),
      { numRuns: scaleCaseCount(3_000) },
    )
  })

  it('of a day have one start per date on the wall', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        instant,
        fc.integer({ min: 0, max: 30 * HOUR }),
        (name, now, later) => {
          const zone = zoneOf(name)
          const isSameDate = wall(name, now).date === wall(name, now + later).date
          const isSameStart = findPeriodStart('day', now, zone) === findPeriodStart('day', now + later, zone)
          expect(isSameStart, `${name} ${now} ${later}`).to.equal(isSameDate)
        },
      ),
      { numRuns: scaleCaseCount(3_000) },
    )
  })

  it('end where the next one begins, except the total', () => {
    const ending = PERIODS.filter((period) => period !== 'total')
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.constantFrom(...ending), instant, (name, period, now) => {
        const zone = zoneOf(name)
        const end = findPeriodEnd(period, now, zone) ?? 0
        expect(end).to.be.greaterThan(now)
        const start = findPeriodStart(period, now, zone)
        expect(findPeriodStart(period, end - 1, zone), `${name} ${period} ${now}`).to.equal(start)
        expect(findPeriodStart(period, end, zone)).to.equal(end)
      }),
      { numRuns: scaleCaseCount(3_000) },
    )
    expect(findPeriodEnd('total', 1, zoneOf('UTC'))).to.equal(null)
  })

  const starts: [string, Period, string, string][] = [
    ['an hour begins with the hour of UTC', 'hour', '2026-01-07T12:59:59Z', '2026-01-07T12:00:00Z'],
    ['a day begins at midnight in the zone', 'day', '2026-01-07T22:59:59Z', '2026-01-06T23:00:00Z'],
    ['a week begins on Monday', 'week', '2026-01-11T22:00:00Z', '2026-01-04T23:00:00Z'],
    ['a month begins on its first day', 'month', '2026-07-15T00:00:00Z', '2026-06-30T22:00:00Z'],
    ['the total has no beginning', 'total', '2026-07-15T00:00:00Z', '1970-01-01T00:00:00Z'],
    ['a day may have 23 hours', 'day', '2026-03-29T21:59:59Z', '2026-03-28T23:00:00Z'],
    ['a day may have 25 hours', 'day', '2026-10-25T22:59:59Z', '2026-10-24T22:00:00Z'],
  ]
  for (const [what, period, now, start] of starts) {
    it(what, () => {
      expect(findPeriodStart(period, Date.parse(now), zoneOf('Europe/Berlin'))).to.equal(Date.parse(start))
    })
  }

  it('begin at the instant at which the clocks skip midnight', () => {
    const change = Date.parse('2026-03-08T05:00:00Z')
    expect(findPeriodStart('day', change + HOUR, zoneOf('America/Havana'))).to.equal(change)
  })
})
