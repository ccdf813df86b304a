import { compileWeeklyWindow } from '../time/compileWeeklyWindow.ts'
import type { Pdlss } from './pdlss.ts'

/** The duration dimension of a boundary. */
export type CompiledDuration = {
  /** `now` in epoch milliseconds. */
  refusesMoment: (now: number) => boolean
  /** Longest session in seconds; infinite when the boundary names none. */
  sessionSecondsMax: number
}

/** Compiles the duration dimension: the weekly window in its zone, and the longest session. */
export function compileDuration(duration: Pdlss['duration']): CompiledDuration {
  const isInside = compileWeeklyWindow(duration ?? {})
  return {
    refusesMoment: (now) => !isInside(now),
    sessionSecondsMax: duration?.maxSessionDuration ?? Number.POSITIVE_INFINITY,
  }
}
