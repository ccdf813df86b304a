import { PERIODS, type Period, periodStart } from '@svc/core/time/period.ts'
import { compileWeeklyWindow } from '@svc/core/time/weeklyWindow.ts'
import { isTimeZone, zoneOf } from '@svc/core/time/zone.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { faultFigure } from '../../harness/faults/faultFigure.ts'
import { randomCases } from '../../harness/values/randomCases.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]
const FROM = Date.UTC(2025, 0, 1)
const UNTIL = Date.UTC(2027, 0, 1)

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The oracle: what a clock and a calendar on the wall of that zone show. */
function wall(zone: string, instant: number): { weekday: number; hour: number; date: string } {
  let formatter = formatters.get(zone)
  if (formatter === undefined) {
    const fields = {
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
    } as const
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...fields })
    formatters.set(zone, formatter)
  }
  const parts = new Map(formatter.formatToParts(instant).map(({ type, value }) => [type, value]))
  return {
    weekday: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(parts.get('weekday') ?? ''),
    hour: Number(parts.get('hour')),
    date: `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`,
  }
}

function oracle(zone: string, days: number[], start: number, end: number, instant: number): boolean {
  const { weekday, hour } = wall(zone, instant)
  const isIn = (day: number) => days.length === 0 || days.includes(day)
  if (start < end) return isIn(weekday) && hour >= start && hour < end
  return (hour >= start && isIn(weekday)) || (hour < end && isIn((weekday + 6) % 7))
}

/** Instants in two years at which the zone's offset changes, to the second. */
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
  it('hold what the wall clock shows, in every zone', () => {
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
      { numRuns: randomCases(3_000) },
    )
  })

  it('hold around every change of the clocks of 2025 and 2026, in every zone', function () {
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
    faultFigure(
      `${ZONES.length} zones, every change of their clocks in two years: ${checked} of ${checked} instants as the oracle has them`,
    )
  })

  it('are open all the time without days and hours', () => {
    expect(compileWeeklyWindow({})(0)).to.equal(true)
    expect(compileWeeklyWindow({ allowedDays: [], timezone: 'Asia/Tokyo' })(-1)).to.equal(true)
  })

  it('hold before 1970, too', () => {
    const isInside = compileWeeklyWindow({ allowedDays: [3], allowedHours: { start: 23, end: 24 } })
    expect(isInside(-1)).to.equal(true)
    expect(isInside(0)).to.equal(false)
  })
})

describe('zones', () => {
  it('forget nothing when asked about instants in any order', () => {
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

  it('are one for each name, whatever the case of its letters', () => {
    expect(zoneOf('Europe/Berlin')).to.equal(zoneOf('europe/BERLIN'))
  })

  it('are those of the IANA database, and nothing else', () => {
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

describe('periods', () => {
  const instant = fc.integer({ min: FROM, max: UNTIL })

  it('begin at or before now, and the start of the start is itself', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.constantFrom(...PERIODS), instant, (name, period, now) => {
        const zone = zoneOf(name)
        const start = periodStart(period, now, zone)
        expect(start).to.be.at.most(now)
        if (period !== 'total') expect(periodStart(period, start, zone), `${name} ${now}`).to.equal(start)
      }),
      { numRuns: randomCases(3_000) },
    )
  })

  it('of a day are one start for each date on the wall', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        instant,
        fc.integer({ min: 0, max: 30 * HOUR }),
        (name, now, later) => {
          const zone = zoneOf(name)
          const isSameDate = wall(name, now).date === wall(name, now + later).date
          const isSameStart = periodStart('day', now, zone) === periodStart('day', now + later, zone)
          expect(isSameStart, `${name} ${now} ${later}`).to.equal(isSameDate)
        },
      ),
      { numRuns: randomCases(3_000) },
    )
  })

  const starts: [string, Period, string, string][] = [
    ['an hour is that of UTC', 'hour', '2026-01-07T12:59:59Z', '2026-01-07T12:00:00Z'],
    ['a day begins at midnight in the zone', 'day', '2026-01-07T22:59:59Z', '2026-01-06T23:00:00Z'],
    ['a week begins on Monday', 'week', '2026-01-11T22:00:00Z', '2026-01-04T23:00:00Z'],
    ['a month begins on its first', 'month', '2026-07-15T00:00:00Z', '2026-06-30T22:00:00Z'],
    ['in total begins never', 'total', '2026-07-15T00:00:00Z', '1970-01-01T00:00:00Z'],
    ['a day of 23 hours', 'day', '2026-03-29T21:59:59Z', '2026-03-28T23:00:00Z'],
    ['a day of 25 hours', 'day', '2026-10-25T22:59:59Z', '2026-10-24T22:00:00Z'],
  ]
  for (const [what, period, now, start] of starts) {
    it(what, () => {
      expect(periodStart(period, Date.parse(now), zoneOf('Europe/Berlin'))).to.equal(Date.parse(start))
    })
  }

  it('begin when the clocks skip midnight at the instant they skip it', () => {
    const change = Date.parse('2026-03-08T05:00:00Z')
    expect(periodStart('day', change + HOUR, zoneOf('America/Havana'))).to.equal(change)
  })
})
