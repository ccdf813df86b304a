import { UsageError } from '../terminal/usageError.ts'
import type { MonitorState, ReportedFinding } from './monitorState.ts'

type Acknowledged = {
  state: MonitorState
  /** The findings that were dropped. */
  dropped: ReportedFinding[]
}

/**
 * Drops findings that somebody has seen. One that is still so is found again. With `unchecked`, a checkpoint that the chain
 * never confirmed is forgotten as well.
 *
 * @param named `rewritten` for that finding of every log, `rewritten 0x…` for that of one.
 * @throws UsageError if there is no such finding.
 */
export function acknowledgeFindings(before: MonitorState, named: readonly string[]): Acknowledged {
  const findings = { ...before.findings }
  const logs = { ...before.logs }
  const dropped: ReportedFinding[] = []
  for (const name of named) {
    const matching = Object.entries(findings).filter(([key, { id }]) => name === key || name === id)
    if (matching.length === 0)
      throw new UsageError(
        `There is no finding ${name}. There are: ${Object.keys(findings).join(', ') || 'none'}.`,
      )
    for (const [key, finding] of matching) {
      delete findings[key]
      dropped.push(finding)
      const log = finding.log === null ? undefined : logs[finding.log]
      if (finding.id === 'unchecked' && finding.log !== null && log !== undefined)
        logs[finding.log] = { ...log, unanchored: null }
    }
  }
  return { state: { ...before, findings, logs }, dropped }
}
