import type { AuditReport } from './createTextReport.ts'

/** Record numbers, both included; without a last one, up to the newest anchored record. */
export type NumberRange = { first: number; last: number | null }
type Gap = { first: number; last: number }

/** Gaps that are reported one by one; the rest are only counted. */
const GAPS_SHOWN = 20

/**
 * Reports which numbers are not in an export: of the range, where each is a fault, or else of the whole log, where they may
 * be records of other parties or left out.
 *
 * @param numbers Those in the export, ascending.
 * @param size The number of records on chain.
 * @param received How many records the auditor knows to belong in it; null without any.
 * @returns False if a number of the range is missing.
 */
export function reportCompleteness(
  numbers: readonly number[],
  { size, range, received }: { size: number; range: NumberRange | null; received: number | null },
  report: AuditReport,
): boolean {
  const first = range?.first ?? 0
  const last = range?.last ?? Math.max(first, size - 1)
  const gaps = findGaps(numbers, first, last).flatMap((gap) => splitAt(gap, size))
  const count = gaps.reduce((sum, gap) => sum + gap.last - gap.first + 1, 0)
  const isRange = range !== null
  const data = { isChecked: isRange || count === 0, missing: gaps }
  if (count === 0) {
    const what = isRange ? 'no number in the range is missing' : 'these are all records of the log'
    report.fact('complete', `yes: ${what}`, data)
    return true
  }
  if (isRange) {
    for (const gap of gaps.slice(0, GAPS_SHOWN))
      report.failed(`${formatGap(gap)} ${gap.first < size ? 'missing' : 'not anchored'}.`)
    report.fact('complete', `no: ${count} missing`, data)
    return false
  }
  const numbersOfLog = count === 1 ? '1 number of the log is' : `${count} numbers of the log are`
  const inGaps = gaps.length === 1 ? '1 gap' : `${gaps.length} gaps`
  report.fact('complete', `not checked: ${numbersOfLog} not in it, in ${inGaps}`, data)
  const advice =
    received === null
      ? 'Pass --range, or --received.'
      : 'Records that you did not receive are not known to you.'
  report.notChecked(
    `whether the export is complete: ${formatGap(gaps[0] ?? { first, last })} not in it` +
      `${gaps.length > 1 ? ', and others' : ''}, which may be records of other parties, or left out. ${advice}`,
  )
  return true
}

function formatGap({ first, last }: Gap): string {
  return first === last ? `number ${first} is` : `numbers ${first} to ${last} are`
}

/** Splits a gap into numbers that are missing and numbers that are not anchored yet. */
function splitAt({ first, last }: Gap, size: number): Gap[] {
  if (first >= size || last < size) return [{ first, last }]
  return [
    { first, last: size - 1 },
    { first: size, last },
  ]
}

/** Finds the numbers of a range that are not in `numbers`, which is ascending. */
function findGaps(numbers: readonly number[], first: number, last: number): Gap[] {
  const gaps: Gap[] = []
  let next = first
  for (const number of numbers) {
    if (number < first || number > last) continue
    if (number > next) gaps.push({ first: next, last: number - 1 })
    next = number + 1
  }
  if (next <= last) gaps.push({ first: next, last })
  return gaps
}
