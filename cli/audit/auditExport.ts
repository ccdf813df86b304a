import { auditTimes, type DatedEntry } from './auditTimes.ts'
import type { AuditReport } from './createTextReport.ts'
import { listUnprovenMembers } from './listUnprovenMembers.ts'
import type { AuditChain } from './openAuditChain.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import type { ReadDocument } from './readDocuments.ts'
import type { Issuer } from './readIssuer.ts'
import { type NumberRange, reportCompleteness } from './reportCompleteness.ts'
import { reportUnprovenMembers } from './reportUnprovenMembers.ts'
import { receiptOf, verifyReadDocument } from './verifyReadDocument.ts'

type Options = {
  range: NumberRange | null
  logKey: VerifierKey | null
  issuer: Issuer | null
  /** Identifiers of records that must be in it; null without any. */
  received: readonly string[] | null
}

/** What was read of an export so far. */
type Seen = {
  /** The proven records, in ascending order of their numbers. */
  entries: DatedEntry[]
  /** The number of each record by its identifier. */
  numbers: Map<string, number>
  /** How many lines were read, and how many of them are wrong. */
  lines: number
  faults: number
  receipts: number
  unproven: Set<string>
}

/** Faults that are reported one by one; the rest are only counted. */
const FAULTS_SHOWN = 20
/** Names of unproven members that are remembered. An author may invent any number of them. */
const UNPROVEN_MAX = 1_000

/**
 * Checks every line of an export, and reports whether anything was left out.
 *
 * With a range, every number in it must be present; the anchored size says how many records there are, so a truncated end
 * is found like any other gap. Without a range, a gap is reported but is not a fault, because an export lacks the records
 * of other parties.
 */
export async function auditExport(
  chain: AuditChain,
  lines: AsyncIterable<ReadDocument>,
  { range, logKey, issuer, received }: Options,
  report: AuditReport,
): Promise<boolean> {
  const seen: Seen = {
    entries: [],
    numbers: new Map(),
    lines: 0,
    faults: 0,
    receipts: 0,
    unproven: new Set(),
  }
  const fail = (reason: string) => {
    seen.faults += 1
    if (seen.faults <= FAULTS_SHOWN) report.failed(`${reason}.`)
  }
  for await (const read of lines) {
    const fault = await readLine(chain, read, { logKey, issuer }, seen)
    if (fault !== null) fail(`${read.name}: ${fault}`)
  }
  const absent = (received ?? []).filter((id) => !seen.numbers.has(id))
  for (const id of absent) fail(`record ${id}, which you received, is not in the export`)
  if (received !== null && absent.length === 0)
    report.passed(`all ${received.length} records that you received are in the export`)
  for (const late of await auditTimes(chain, seen.entries, report)) fail(late)
  if (seen.faults > FAULTS_SHOWN) report.failed(`and ${seen.faults - FAULTS_SHOWN} more.`)
  if (seen.entries.length === 0) {
    const reason = seen.faults === 0 ? 'the export contains no record' : 'no record is valid'
    report.failed(`NOT proven: ${reason}.`)
    return false
  }
  const isComplete = reportRecords(chain, seen, { range, received }, report)
  reportUnchecked(seen, { logKey, issuer }, report)
  if (seen.faults === 0 && isComplete) {
    report.proven()
    return true
  }
  report.failed(`NOT proven: ${describeFaults(seen)}.${isComplete ? '' : ' Not complete.'}`)
  return false
}

/** Checks one line, and remembers its record. @returns What is wrong with it; null if nothing is. */
async function readLine(
  chain: AuditChain,
  read: ReadDocument,
  { logKey, issuer }: Pick<Options, 'logKey' | 'issuer'>,
  seen: Seen,
): Promise<string | null> {
  seen.lines += 1
  // All records are under the same few roots, so the contract is asked only once.
  const asksContract = seen.entries.length === 0
  const verdict = await verifyReadDocument(chain, read, logKey, { asksContract, issuer })
  if (!verdict.ok) return verdict.reason
  const { entry, index, batch } = verdict
  const misplaced = findPlaceFault(entry.recordId, index, seen)
  if (misplaced !== null) return misplaced
  seen.entries.push({ index, time: Date.parse(entry.time), provenBy: batch })
  seen.numbers.set(entry.recordId, index)
  if (receiptOf(read.claims) !== null) seen.receipts += 1
  for (const name of listUnprovenMembers(read.claims, entry))
    if (seen.unproven.size < UNPROVEN_MAX) seen.unproven.add(name)
  return null
}

/** Reports which records are in the export, and which are not. @returns False if one of the range is missing. */
function reportRecords(
  chain: AuditChain,
  { entries }: Seen,
  { range, received }: Pick<Options, 'range' | 'received'>,
  report: AuditReport,
): boolean {
  const { size } = chain.head
  const numbers = entries.map(({ index }) => index)
  const [first, last] = [numbers[0], numbers.at(-1)]
  const span = `${numbers.length} records, numbers ${first} to ${last} of ${size} on chain`
  report.fact('proven', span, { records: numbers.length, first, last, anchored: size })
  return reportCompleteness(numbers, { size, range, received: received?.length ?? null }, report)
}

function describeFaults({ faults, lines }: Seen): string {
  return `${faults} ${faults === 1 ? 'fault' : 'faults'} in ${lines} records`
}

function findPlaceFault(recordId: string, index: number, { entries, numbers }: Seen): string | null {
  const last = entries.at(-1)?.index ?? -1
  const other = numbers.get(recordId)
  if (index === last || index === other) return `record number ${index} is a duplicate`
  if (other !== undefined) return `record ${recordId} is at number ${index}, and also at number ${other}`
  return index < last ? `record number ${index} comes after number ${last}` : null
}

function reportUnchecked(
  { receipts, unproven }: Seen,
  { logKey, issuer }: Pick<Options, 'logKey' | 'issuer'>,
  report: AuditReport,
): void {
  reportUnprovenMembers(unproven, report)
  if (receipts > 0 && issuer === null)
    report.notChecked(
      `who issued ${receipts === 1 ? 'the receipt' : `the ${receipts} receipts`}: pass --issuer, or --issuer-keys.`,
    )
  if (receipts === 0 && issuer !== null)
    report.notChecked('an issuer with --issuer or --issuer-keys: the export has no receipt.')
  if (logKey !== null) report.notChecked('a signature with --log-key: the proofs of an export have none.')
}
