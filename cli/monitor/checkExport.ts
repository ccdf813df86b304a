import { parseDocument } from '../audit/readDocuments.ts'
import { type CheckedRecord, checkRecord, isWatched, type ProvenLog } from './checkRecord.ts'
import { createFinding } from './findings.ts'
import type { LogLook } from './lookAtLog.ts'
import type { LogState } from './monitorState.ts'
import { Unchecked } from './openMonitoredService.ts'
import { readExportLine } from './readExportLine.ts'
import { describePlaces, findPlace, isSamePlace } from './recordPlaces.ts'

type Input = {
  /** The look at the log. Findings are added, and its state is updated page by page, so that the next look can continue. */
  look: LogLook
  log: ProvenLog
  /** The looks at all logs. */
  looks: readonly LogLook[]
  /** What is remembered of all logs. */
  logs: Readonly<Record<string, LogState>>
  /** Only records of these agents are looked at; null for all of the party. */
  agents: ReadonlySet<string> | null
  /** Epoch milliseconds. */
  now: number
}

type Page = { from: number; next: number; lines: string[] }
/** A record that was in the export before. */
type Known = { id: string; number: number }

/** The export is read again from its beginning so often, to find records that are no longer in it. */
const REREAD_MS = 86_400_000
/** A page has at most 500 records. */
const PAGE_BYTES_MAX = 16 * 1024 * 1024
/** An export with more records that are wrong is not read further. */
const FAULTS_MAX = 100

/**
 * Checks the records of a party in one log: every line of its export is proven under the checkpoint, no record that was in
 * it is missing now, and none is there twice.
 *
 * Usually only what is new is read, from the first page that had something wrong; once a day, the whole export.
 *
 * @throws Unchecked if the service does not show the export, or pages that do not lead to its end; or if too much is wrong.
 * Source: docs/auditing.md.
 */
export async function checkExport(input: Input): Promise<void> {
  const { log, now } = input
  const { state } = input.look
  if (!state.isRereading && now - state.rereadAt >= REREAD_MS)
    Object.assign(state, { isRereading: true, nextRecord: 0 })
  const known = sortKnown(state)
  let firstWrong: number | null = null
  let faults = 0
  for (let from = state.nextRecord; from < log.head.size; ) {
    const page = await readPage(input, from)
    const wrong = await checkPage(input, page, takeKnown(known, page))
    if (wrong > 0) firstWrong ??= from
    from = page.next
    state.readTo = Math.max(state.readTo, from)
    state.nextRecord = firstWrong ?? from
    faults += wrong
    if (faults >= FAULTS_MAX)
      throw new Unchecked(
        `${faults} records of your export are wrong; it is not read beyond number ${from - 1}`,
      )
  }
  if (state.isRereading) Object.assign(state, { isRereading: false, rereadAt: now })
}

async function readPage({ look, log }: Input, from: number): Promise<Page> {
  const { size } = log.head
  const path = `/api/audit/export?from=${from}&to=${size - 1}`
  const read = await look.service.read(path, { isOwn: true, bytesMax: PAGE_BYTES_MAX })
  if (read.kind !== 'found') throw new Unchecked(`the service has no export at ${path}`)
  const [, number] = /^\/api\/audit\/export\?from=(\d{1,16})(?:&|$)/.exec(read.next ?? '') ?? []
  const next = read.next === null ? size : Number(number)
  if (!(next > from && next <= size))
    throw new Unchecked(`the export does not advance: the page from number ${from} continues at ${read.next}`)
  return { from, next, lines: read.text.split('\n').filter((line) => line !== '') }
}

/** Checks a page. @returns How many records are wrong. */
async function checkPage(input: Input, page: Page, known: Known[]): Promise<number> {
  const { log } = input
  const { findings } = input.look
  const present = new Set<number>()
  let wrong = 0
  let last = page.from - 1
  for (const line of page.lines) {
    if (wrong >= FAULTS_MAX) return wrong
    const read = parseDocument('a line of your export', line)
    const number = read.document?.index ?? last + 1
    const checked: CheckedRecord =
      number > last && number < page.next
        ? await checkRecord(log, read)
        : { fault: `it is on the page from number ${page.from} to ${page.next - 1}, after number ${last}` }
    if ('entry' in checked) {
      await notePlace(input, checked, line)
    } else {
      wrong += 1
      findings.push(createFinding(`record:${number}`, `record number ${number}: ${checked.fault}`, [line]))
    }
    present.add(number)
    if (number < page.next) last = Math.max(last, number)
  }
  for (const { id, number } of known.filter((one) => !present.has(one.number))) {
    wrong += 1
    const text = `record ${id}, number ${number}, was in your export and is missing now`
    findings.push(createFinding(`missing:${id}`, text, [log.head.note]))
  }
  return wrong
}

/** Remembers where a record is, and reports one that is at another place as well. */
async function notePlace(
  input: Input,
  { entry, index }: Exclude<CheckedRecord, { fault: string }>,
  line: string,
): Promise<void> {
  const { look, log, looks, logs, agents } = input
  const { recordId } = entry
  const place = { log: log.id, number: index }
  const before = findPlace(logs, recordId)
  if (before === null) {
    if (isWatched(agents, entry)) look.state.records[recordId] = index
  } else if (!isSamePlace(before, place)) {
    if (look.findings.length >= FAULTS_MAX)
      throw new Unchecked(
        `${FAULTS_MAX} things are wrong with your export; it is not read beyond number ${index}`,
      )
    const evidence = [...(await readExportLine(looks, before)), line]
    look.findings.push(
      createFinding(`repeated:${recordId}`, describePlaces(recordId, before, place), evidence),
    )
  }
}

/** The records that were in the export before, from the first one that is read now. */
function sortKnown({ records, nextRecord }: LogState): Known[] {
  return Object.entries(records)
    .map(([id, number]) => ({ id, number }))
    .filter(({ number }) => number >= nextRecord)
    .toSorted((one, other) => other.number - one.number)
}

/** Takes those of a page from the end of the list. */
function takeKnown(known: Known[], page: Page): Known[] {
  const taken: Known[] = []
  for (let one = known.at(-1); one !== undefined && one.number < page.next; one = known.at(-1)) {
    taken.push(one)
    known.pop()
  }
  return taken
}
