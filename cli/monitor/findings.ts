import { NOTE_CHARACTERS_MAX } from '@svc/core/audit/checkpoint.ts'

/** Something that is wrong with a log. */
export type Finding = {
  /** The same for as long as the same thing is wrong; up to a colon, it is the kind. */
  id: string
  /** What is wrong, in words. */
  text: string
  /** Signed documents that show it. */
  evidence: string[]
}

/** A finding, and the id of the log that it concerns; null if it concerns none in particular. */
export type LocatedFinding = Finding & { log: string | null }

/** The kinds of findings, worst first. When there are too many findings, the last ones are left out. */
const KINDS = [
  ...['rewritten', 'anchor', 'repeated', 'checkpoint', 'stale', 'cosignatures', 'cosignature'],
  ...['missing', 'received', 'unchecked', 'record', 'handover'],
]

/**
 * The kinds that stay until somebody acknowledges them: signed or proven contradictions, which a service that shows the
 * former view again cannot undo.
 */
const LASTING = new Set(['rewritten', 'anchor', 'repeated'])

/** So that each checkpoint is complete with its signatures. */
const EVIDENCE_CHARACTERS_MAX = NOTE_CHARACTERS_MAX

/** Creates a finding. Longer documents are cut at once, because a service decides how many there are. */
export function createFinding(id: string, text: string, evidence: readonly string[] = []): Finding {
  return { id, text, evidence: evidence.map(cutDocument) }
}

/** Cuts a document, and copies it: a part of a string keeps the whole one, which may be a page of an export. */
export function cutDocument(document: string): string {
  const kept = Buffer.from(document.slice(0, EVIDENCE_CHARACTERS_MAX)).toString()
  return document.length <= EVIDENCE_CHARACTERS_MAX
    ? kept
    : `${kept}\n[cut; it has ${document.length} characters]`
}

/** Identifies a finding among those of all logs. */
export function keyOfFinding({ id, log }: Pick<LocatedFinding, 'id' | 'log'>): string {
  return log === null ? id : `${id} ${log}`
}

/** Whether a finding stays although it is no longer found. */
export function isLasting({ id }: Pick<Finding, 'id'>): boolean {
  return LASTING.has(kindOf(id))
}

/** Compares two findings: a negative number if the first one is worse. */
export function compareSeverity(one: Pick<Finding, 'id'>, other: Pick<Finding, 'id'>): number {
  return KINDS.indexOf(kindOf(one.id)) - KINDS.indexOf(kindOf(other.id))
}

function kindOf(id: string): string {
  return id.split(':')[0] ?? id
}
