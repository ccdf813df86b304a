import type { Target } from './benchReport.ts'
import { figureText } from './figureText.ts'

/** A bound as a reader knows it, such as `≥ 0.60, floor 0.40`. */
export function targetText(target: Target): string {
  if ('atMost' in target) return `≤ ${figureText(target.atMost)}`
  if ('below' in target) return `< ${figureText(target.below)}`
  return target.floor === undefined
    ? `≥ ${figureText(target.atLeast)}`
    : `≥ ${figureText(target.atLeast)}, floor ${figureText(target.floor)}`
}
