import type { Finding } from './findings.ts'
import type { Look } from './lookAtLog.ts'
import type { MonitorState } from './monitorState.ts'

type Findings = MonitorState['findings']

/**
 * Merges the findings of a look into those that were reported. A finding that is still there stays reported; one that is no
 * longer there is dropped only if everything could be checked.
 *
 * @returns The findings that stand, and the identifiers of those that ended.
 */
export function updateFindings(
  before: Findings,
  { findings, isComplete }: Pick<Look, 'findings' | 'isComplete'>,
  now: number,
): { findings: Findings; ended: string[] } {
  const standing: Findings = isComplete ? {} : { ...before }
  for (const { id, text, evidence } of findings.slice(0, FINDINGS_MAX)) {
    standing[id] = before[id] ?? { text, since: now, isDelivered: false, evidence: toEvidence(evidence) }
  }
  return { findings: standing, ended: Object.keys(before).filter((id) => standing[id] === undefined) }
}

/** A log that is wrong throughout is reported once, not for each record. */
const FINDINGS_MAX = 100

function toEvidence(evidence: Finding['evidence']): string[] {
  return evidence.map((document) => document.slice(0, 20_000))
}
