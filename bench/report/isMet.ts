import type { Target } from './benchReport.ts'

/** Whether a figure meets its target; NaN meets none. */
export function isMet(value: number, target: Target): boolean {
  if ('atLeast' in target) return value >= target.atLeast
  return 'atMost' in target ? value <= target.atMost : value < target.below
}
