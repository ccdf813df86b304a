import { zoneOf } from '@svc/core/time/zone.ts'

const TIMEZONE = 'Europe/Berlin'

/** Returns weekday (0 is Sunday) and hour in the policy's zone, for engines without time zones; the offset is cached. */
export function wallClock(now: number): { weekday: number; hour: number } {
  const local = now + zoneOf(TIMEZONE).offsetAt(now)
  const day = Math.floor(local / 86_400_000)
  return { weekday: (day + 4) % 7, hour: Math.floor((local - day * 86_400_000) / 3_600_000) }
}
