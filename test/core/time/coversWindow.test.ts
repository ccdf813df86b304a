import { compileWeeklyWindow, coversWindow, type WeeklyWindow } from '@svc/core/time/weeklyWindow.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const HOUR_MS = 3_600_000

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
        const hours = Array.from({ length: 24 * 21 }, (_, n) => begin + n * HOUR_MS)
        const isCovered = hours.every((at) => !isInner(at) || isOuter(at))
        expect(coversWindow(outer, inner)).to.equal(isCovered)
      }),
    )
  })

  it('compares different zones only with a window that leaves nothing out', () => {
    const night = { allowedHours: { start: 22, end: 4 }, timezone: 'UTC' }
    expect(coversWindow(night, { ...night, timezone: 'Europe/Berlin' })).to.equal(false)
    expect(coversWindow({ allowedHours: { start: 0, end: 24 }, allowedDays: [] }, night)).to.equal(true)
  })
})
