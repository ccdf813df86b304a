import { compileWeeklyWindow, coversWindow, type WeeklyWindow } from '@svc/core/time/weeklyWindow.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { reportFaultFigure } from '../../harness/faults/reportFaultFigure.ts'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'
import { DAY, FROM, HOUR, UNTIL, wall, ZONES } from './wallClock.ts'

function oracle(zone: string, days: number[], start: number, end: number, instant: number): boolean {
  const { weekday, hour } = wall(zone, instant)
  const isIn = (day: number) => days.length === 0 || days.includes(day)
  if (start < end) return isIn(weekday) && hour >= start && hour < end
  return (hour >= start && isIn(weekday)) || (hour < end && isIn((weekday + 6) % 7))
}

/** The instants in two years at which the zone's offset changes, to the second. */
function transitions(zone: string): number[] {
  const seconds = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const offset = (instant: number) => Date.parse(`${seconds.format(instant).replace(' ', 'T')}Z`) - instant
  const found: number[] = []
  for (let day = FROM; day < UNTIL; day += 7 * DAY) {
    let [low, high] = [day, day + 7 * DAY]
    if (offset(low) === offset(high)) continue
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000
      if (offset(middle) === offset(low)) low = middle
      else high = middle
    }
    found.push(high)
  }
  return found
}

const hours = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 24 }))
  .filter(([start, end]) => start !== end)
const days = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 7 })

describe('weekly windows', () => {
  it('follow the wall clock, in every zone', () => {
    const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2037, 0, 1) })
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        days,
        hours,
        instants,
        (timezone, allowedDays, [start, end], now) => {
          const isInside = compileWeeklyWindow({ allowedDays, allowedHours: { start, end }, timezone })
          expect(isInside(now), `${timezone} ${now}`).to.equal(oracle(timezone, allowedDays, start, end, now))
        },
      ),
      { numRuns: scaleCaseCount(3_000) },
    )
  })

  it('hold around every clock change of 2025 and 2026, in every zone', function () {
    this.timeout(120_000)
    let checked = 0
    for (const timezone of ZONES) {
      for (const [index, change] of transitions(timezone).entries()) {
        const { hour, weekday } = wall(timezone, change)
        const windows = [
          { allowedDays: [weekday], allowedHours: { start: hour, end: hour + 1 } },
          { allowedDays: [weekday], allowedHours: { start: 22, end: (hour + 1) % 22 } },
        ]
        for (const window of windows) {
          const isInside = compileWeeklyWindow({ ...window, timezone })
          const { start, end } = window.allowedHours
          for (const shift of [-DAY, -HOUR, -HOUR / 2, -1, 0, 1, HOUR / 2, HOUR - 1, HOUR, DAY]) {
            const expected = oracle(timezone, window.allowedDays, start, end, change + shift)
            expect(isInside(change + shift), `${timezone} change ${index} ${shift}`).to.equal(expected)
            checked += 1
          }
        }
      }
    }
    expect(checked).to.be.greaterThan(5000)
    reportFaultFigure(
      `${ZONES.length} zones, every clock change in two years: ${checked} of ${checked} instants agree with the oracle`,
    )
  })

  it('are always open without days and hours', () => {
    expect(compileWeeklyWindow({})(0)).to.equal(true)
    expect(compileWeeklyWindow({ allowedDays: [], timezone: 'Asia/Tokyo' })(-1)).to.equal(true)
  })

  it('hold before 1970 too', () => {
    const isInside = compileWeeklyWindow({ allowedDays: [3], allowedHours: { start: 23, end: 24 } })
    expect(isInside(-1)).to.equal(true)
    expect(isInside(0)).to.equal(false)
  })
})

describe('coversWindow', () => {
  it('agrees with every hour of a year, daylight saving time included', () => {
    const window: fc.Arbitrary<WeeklyWindow> = fc.record({
      allowedDays: fc.option(fc.subarray([0, 1, 2, 3, 4, 5, 6]), { nil: undefined }),
      allowedHours: fc.option(
        fc
          .record({ start: fc.integer({ min: 0, max: 23 }), end: fc.integer({ min: 0, max: 24 }) })
          .filter(({ start, end }) => start !== end),
        { nil: undefined },
      ),
      timezone: fc.constant('Europe/Berlin'),
    })
    const begin = Date.UTC(2026, 2, 20)
    fc.assert(
      fc.property(window, window, (outer, inner) => {
        const [isOuter, isInner] = [compileWeeklyWindow(outer), compileWeeklyWindow(inner)]
        const hours = Array.from({ length: 24 * 21 }, (_, n) => begin + n * HOUR)
        const isCovered = hours.every((at) => !isInner(at) || isOuter(at))
        expect(coversWindow(outer, inner)).to.equal(isCovered)
      }),
    )
  })

  it('compares different zones only if the outer window is always open', () => {
    const night = { allowedHours: { start: 22, end: 4 }, timezone: 'UTC' }
    expect(coversWindow(night, { ...night, timezone: 'Europe/Berlin' })).to.equal(false)
    expect(coversWindow({ allowedHours: { start: 0, end: 24 }, allowedDays: [] }, night)).to.equal(true)
  })

  it('compares the names of zones without regard to case', () => {
    const night = { allowedHours: { start: 22, end: 4 }, timezone: 'Europe/Berlin' }
    expect(coversWindow(night, { ...night, timezone: 'europe/berlin' })).to.equal(true)
    expect(coversWindow({ allowedDays: [1] }, { allowedDays: [1], timezone: 'utc' })).to.equal(true)
  })
})
