import type { AuditReport } from './createTextReport.ts'

/** Names that are listed; the others are only mentioned. */
const NAMES_SHOWN = 40

/** Reports the members of documents that no entry confirms; nothing if there are none. */
export function reportUnprovenMembers(names: Iterable<string>, report: AuditReport): void {
  const all = [...names].sort()
  if (all.length === 0) return
  const shown = all.slice(0, NAMES_SHOWN).join(', ')
  const others = all.length > NAMES_SHOWN ? ', and others' : ''
  report.notChecked(`what no entry states, and only the document does: ${shown}${others}.`)
}
