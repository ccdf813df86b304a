import type { ReportRow } from './benchReport.ts'
import { formatFigure } from './formatFigure.ts'
import { formatTarget } from './formatTarget.ts'

/** Formats the cells of a row: name, figure, unit, ratio, rounds, target. */
export function formatCells({ name, value, unit, ratio, range, target }: ReportRow): string[] {
  return [
    name,
    formatFigure(value),
    unit,
    ratio === undefined ? '' : `${formatFigure(ratio)} ×`,
    range === undefined ? '' : `${formatFigure(range[0])} – ${formatFigure(range[1])}`,
    target === undefined ? '' : formatTarget(target),
  ]
}
