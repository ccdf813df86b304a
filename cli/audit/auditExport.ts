import type { AuditReport } from './createTextReport.ts'
import type { AuditChain } from './openAuditChain.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import type { ReadDocument } from './readDocuments.ts'
import { verifyReadDocument } from './verifyReadDocument.ts'

type Options = { range: { first: number; last: number | null } | null; logKey: VerifierKey | null }
type Gap = { first: number; last: number }

/** Faults that are reported one by one; the rest are only counted. */
const FAULTS_SHOWN = 20

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
  { range, logKey }: Options,
  report: AuditReport,
): Promise<boolean> {
  const seqs: number[] = []
  let faults = 0
  for await (const read of lines) {
    // All records are under the same few roots, so the contract is asked only once.
    const verdict = await verifyReadDocument(chain, read, logKey, { asksContract: seqs.length === 0 })
    const reason = verdict.ok ? findOrderFault(verdict.index, seqs.at(-1) ?? null) : verdict.reason
    if (verdict.ok && reason === null) seqs.push(verdict.index)
    else {
      faults += 1
      if (faults <= FAULTS_SHOWN) report.failed(`${read.name}: ${reason}.`)
    }
  }
  if (faults > FAULTS_SHOWN) report.failed(`and ${faults - FAULTS_SHOWN} more.`)
  const [first, last] = [seqs[0], seqs.at(-1)]
  if (first === undefined || last === undefined) {
    report.failed(
      faults === 0 ? 'NOT proven: the export contains no record.' : 'NOT proven: no record is valid.',
    )
    return false
  }
  const span = `${seqs.length} records, numbers ${first} to ${last} of ${chain.head.size} on chain`
  report.fact('proven', span, { records: seqs.length, first, last, anchored: chain.head.size })
  const missing = range === null ? [] : reportMissing(chain, seqs, range, report)
  if (range === null) reportGaps(report, findGaps(seqs, first, last), first, last, chain.head.size)
  if (faults === 0 && missing.length === 0) {
    report.passed('PROVEN.')
    return true
  }
  const lacking = missing.length > 0 ? ' Not complete.' : ''
  report.failed(`NOT proven: ${faults} of ${seqs.length + faults} records.${lacking}`)
  return false
}

function findOrderFault(seq: number, last: number | null): string | null {
  if (last === null || seq > last) return null
  return seq === last
    ? `record number ${seq} is a duplicate`
    : `record number ${seq} comes after number ${last}`
}

function reportMissing(
  chain: AuditChain,
  seqs: readonly number[],
  { first, last }: { first: number; last: number | null },
  report: AuditReport,
): Gap[] {
  const { size } = chain.head
  const gaps = findGaps(seqs, first, last ?? Math.max(first, size - 1)).flatMap((gap) => splitAt(gap, size))
  const count = gaps.reduce((sum, gap) => sum + gap.last - gap.first + 1, 0)
  for (const gap of gaps.slice(0, FAULTS_SHOWN)) {
    const numbers =
      gap.first === gap.last ? `number ${gap.first} is` : `numbers ${gap.first} to ${gap.last} are`
    report.failed(gap.first < size ? `${numbers} missing.` : `${numbers} not anchored.`)
  }
  report.fact(
    'complete',
    count === 0 ? 'yes: no number in the range is missing' : `no: ${count} missing`,
    gaps,
  )
  return gaps
}

/** Splits a gap into numbers that are missing and numbers that are not anchored yet. */
function splitAt({ first, last }: Gap, size: number): Gap[] {
  if (first >= size || last < size) return [{ first, last }]
  return [
    { first, last: size - 1 },
    { first: size, last },
  ]
}

/** Finds the numbers of a range that are not in `seqs`, which is ascending. */
function findGaps(seqs: readonly number[], first: number, last: number): Gap[] {
  const gaps: Gap[] = []
  let next = first
  for (const seq of [...seqs.filter((seq) => seq >= first && seq <= last), last + 1]) {
    if (seq > next) gaps.push({ first: next, last: seq - 1 })
    next = seq + 1
  }
  return gaps
}

function reportGaps(report: AuditReport, gaps: Gap[], first: number, last: number, size: number): void {
  const text =
    gaps.length > 0
      ? `no: ${gaps.length} gap${gaps.length === 1 ? '' : 's'}, which may be records of other parties`
      : first === 0 && last === size - 1
        ? 'yes: these are all records of the log'
        : `yes: no number from ${first} to ${last} is missing`
  report.fact('complete', text, gaps)
}
