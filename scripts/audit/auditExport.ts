import type { AuditChain } from './auditChain.ts'
import type { AuditReport } from './auditReport.ts'
import type { ReadDocument } from './readDocuments.ts'
import { verifyRead } from './verifyRead.ts'

/** Faults that are told one by one; the rest is counted. */
const FAULTS_SHOWN = 20

/** Checks every line of an export, and says whether anything was left out between its first and last record. */
export async function auditExport(
  chain: AuditChain,
  lines: AsyncIterable<ReadDocument>,
  report: AuditReport,
): Promise<boolean> {
  let proven = 0
  let faults = 0
  let gaps = 0
  let first: number | null = null
  let last: number | null = null
  for await (const read of lines) {
    const verdict = await verifyRead(chain, read)
    const seq = verdict.ok ? verdict.entry.seq : null
    const reason = !verdict.ok ? verdict.reason : orderFault(verdict.entry.seq, last)
    if (reason !== null) {
      faults += 1
      if (faults <= FAULTS_SHOWN) report.failed(`${read.name}: ${reason}.`)
      continue
    }
    proven += 1
    if (last !== null && seq !== last + 1) gaps += 1
    first ??= seq
    last = seq
  }
  if (faults > FAULTS_SHOWN) report.failed(`and ${faults - FAULTS_SHOWN} more.`)
  if (first === null || last === null) {
    report.failed(faults === 0 ? 'NOT proven: the export holds no record.' : 'NOT proven: no record holds.')
    return false
  }
  report.fact('proven', `${proven} records, numbers ${first} to ${last} of ${chain.head.size} on chain`)
  report.fact('complete', completeness(first, last, gaps, chain.head.size))
  if (faults === 0) report.passed('PROVEN.')
  else report.failed(`NOT proven: ${faults} of ${proven + faults} records.`)
  return faults === 0
}

function orderFault(seq: number, last: number | null): string | null {
  return last !== null && seq <= last ? `record number ${seq} comes after number ${last}` : null
}

function completeness(first: number, last: number, gaps: number, size: number): string {
  if (gaps > 0) return `no: ${gaps} gaps between them, where records of others may be`
  if (first === 0 && last === size - 1) return 'yes: these are all records of the log'
  return 'yes, from the first to the last of them: no number is missing'
}
