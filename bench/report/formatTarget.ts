import type { Target } from './benchReport.ts'
import { formatFigure } from './formatFigure.ts'

/** Formats a target, such as `≥ 0.60, floor 0.40`. */
export function formatTarget(target: Target): string {
  if ('atMost' in target) return `≤ ${formatFigure(target.atMost)}`
  if ('below' in target) return `< ${formatFigure(target.below)}`
  return target.floor === undefined
    ? `≥ ${formatFigure(target.atLeast)}`
    : `≥ ${formatFigure(target.atLeast)}, floor ${formatFigure(target.floor)}`
}
