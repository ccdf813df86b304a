import type { ReportRow } from './benchReport.ts'
import { figureText } from './figureText.ts'
import { targetText } from './targetText.ts'

/** What a row says in a table, up to its target: name, figure, unit, ratio, rounds, target. */
export function cellsOf({ name, value, unit, ratio, range, target }: ReportRow): string[] {
  return [
    name,
    figureText(value),
    unit,
    ratio === undefined ? '' : `${figureText(ratio)} ×`,
    range === undefined ? '' : `${figureText(range[0])} – ${figureText(range[1])}`,
    target === undefined ? '' : targetText(target),
  ]
}
