import { parseDocument } from '../audit/readDocuments.ts'
import { createObstacle } from './attemptChecks.ts'
import { checkRecord, isWatched } from './checkRecord.ts'
import { createFinding, type Finding } from './findings.ts'
import type { LogLook } from './lookAtLog.ts'
import type { MonitorState } from './monitorState.ts'
import type { MonitoredService } from './openMonitoredService.ts'
import { readExportLine } from './readExportLine.ts'
import { describePlaces, findPlace, isSamePlace } from './recordPlaces.ts'

type Input = {
  service: MonitoredService
  /** Identifiers of records that the party received. */
  received: readonly string[]
  looks: readonly LogLook[]
  /** What is remembered of the service; it is updated. */
  state: MonitorState
  /** Only records of these agents must be in the export; null for all of the party. */
  agents: ReadonlySet<string> | null
  /** Epoch milliseconds. */
  now: number
  /** How long a received record may lack a proof. */
  patienceMs: number
  report: (finding: Finding) => void
}

/** How many records that are in an export already are asked for their proofs in one look. */
const CONFIRMED_MAX = 100

/**
 * Checks the records that a party received: the service serves the proof of each of them under the checkpoint of its log, it
 * is in the export, and it is at the same place in both.
 *
 * A record that is in the export is asked for once; all others in each look.
 *
 * @returns Whether every record that was asked for could be checked: not those of a log whose checkpoint could not be.
 * @throws Unchecked if the service does not respond.
 * Source: docs/auditing.md.
 */
export async function checkReceived(input: Input): Promise<boolean> {
  const { service, state } = input
  let isComplete = true
  let confirmed = 0
  const received = new Set(input.received)
  state.unproven = keepOnly(state.unproven, received)
  state.received = keepOnly(state.received, received)
  for (const id of received) {
    if (
      findPlace(state.logs, id) !== null &&
      (Object.hasOwn(state.received, id) || confirmed++ >= CONFIRMED_MAX)
    )
      continue
    const read = await service.read(`/api/audit/records/${encodeURIComponent(id)}/proof`)
    if (read.kind === 'found') isComplete = (await checkFound(input, id, read.text)) && isComplete
    else reportUnproven(input, id, read.kind)
  }
  return isComplete
}

/** Checks a served proof. @returns Whether the log that it names could be checked. */
async function checkFound(input: Input, id: string, text: string): Promise<boolean> {
  const { looks, state, agents } = input
  const report = (why: string) => input.report(createFinding(`received:${id}`, `record ${id}${why}`, [text]))
  const read = parseDocument(id, text)
  const log = read.document?.logId ?? null
  const look = looks.find((one) => one.id === log)
  if (log !== null && look === undefined) {
    report(`, which you received, is proven in the log ${log}, which is not watched`)
    return true
  }
  if (look === undefined) {
    report(`: ${read.fault}`)
    return true
  }
  if (look.shows === 'nothing' && look.proven === null) {
    // It may have been anchored a moment ago.
    const why = 'the service shows no checkpoint of the log, but proofs of its records'
    if (look.obstacles.every((obstacle) => obstacle.text !== why))
      look.obstacles.push(createObstacle(why, [text]))
    return false
  }
  if (look.shows === 'unusable' || look.proven === null) return false
  const checked = await checkRecord(look.proven, { ...read, claims: { ...read.claims, recordId: id } })
  if ('fault' in checked) {
    report(`: ${checked.fault}`)
    return true
  }
  // A head that nobody signed could have any record at its end, and another one at the next look.
  if (checked.index >= look.proven.head.size) {
    reportUnproven(input, id, 'not_anchored')
    return true
  }
  delete state.unproven[id]
  const place = { log: look.id, number: checked.index }
  const exported = findPlace(state.logs, id)
  const before = exported ?? (Object.hasOwn(state.received, id) ? (state.received[id] ?? null) : null)
  state.received[id] = before ?? place
  if (before !== null && !isSamePlace(before, place)) {
    const line = exported === null ? [] : await readExportLine(looks, exported)
    input.report(createFinding(`repeated:${id}`, describePlaces(id, before, place), [...line, text]))
  } else if (exported === null && checked.index < look.state.readTo && isWatched(agents, checked.entry)) {
    report(`, number ${checked.index}, which you received, is not in your export`)
  }
  return true
}

function reportUnproven(
  { state, now, patienceMs, report }: Input,
  id: string,
  kind: 'not_anchored' | 'unknown',
): void {
  const since = (Object.hasOwn(state.unproven, id) ? state.unproven[id] : undefined) ?? now
  state.unproven[id] = since
  if (kind === 'not_anchored' && now - since < patienceMs) return
  const text =
    kind === 'unknown'
      ? `the service does not know record ${id}, which you received`
      : `record ${id}, which you received, has had no proof for ${Math.round((now - since) / 60_000)} minutes`
  report(createFinding(`received:${id}`, text))
}

function keepOnly<Value>(values: Record<string, Value>, ids: ReadonlySet<string>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([id]) => ids.has(id)))
}
