import { compareSeverity, isLasting, keyOfFinding, type LocatedFinding } from './findings.ts'
import type { Look } from './lookAtService.ts'
import type { MonitorState, ReportedFinding } from './monitorState.ts'

type Findings = MonitorState['findings']

type Updated = {
  /** The findings that stand, worst first. */
  findings: Findings
  /** Those that ended. */
  ended: ReportedFinding[]
}

/** A log that is wrong throughout is reported once, not for each record. */
const FINDINGS_MAX = 100
const TEXT_CHARACTERS_MAX = 2_000

/**
 * Merges the findings of a look into those that were reported. A finding that is still there stays reported. One that is no
 * longer there is dropped only if everything about its log was checked, and if it is not of a kind that lasts until it is
 * acknowledged. Of too many, the worst and then the oldest ones stay, so that new ones cannot displace them.
 */
export function updateFindings(
  before: Findings,
  { findings: found, checked }: Pick<Look, 'findings' | 'checked'>,
  now: number,
): Updated {
  const foundKeys = new Set(found.map(keyOfFinding))
  const ended = Object.entries(before)
    .filter(([key, finding]) => !foundKeys.has(key) && !isLasting(finding) && checked.has(finding.log))
    .map(([, finding]) => finding)
  const standing = new Map(Object.entries(before))
  for (const finding of ended) standing.delete(keyOfFinding(finding))
  for (const finding of found) {
    const key = keyOfFinding(finding)
    if (!standing.has(key)) standing.set(key, toReported(finding, now))
  }
  const worst = [...standing].toSorted(
    ([, one], [, other]) => compareSeverity(one, other) || one.since - other.since,
  )
  return { findings: Object.fromEntries(worst.slice(0, FINDINGS_MAX)), ended }
}

function toReported({ id, log, text, evidence }: LocatedFinding, now: number): ReportedFinding {
  const shown = text.slice(0, TEXT_CHARACTERS_MAX)
  return { id, log, text: shown, since: now, isDelivered: false, evidence }
}
