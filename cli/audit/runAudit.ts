import { auditExport } from './auditExport.ts'
import { auditGrowth } from './auditGrowth.ts'
import { auditOneRecord } from './auditOneRecord.ts'
import type { AuditOutcome, AuditReport } from './createTextReport.ts'
import { openLogMirror } from './logMirror.ts'
import { type AuditChain, openAuditChain } from './openAuditChain.ts'
import type { AuditArguments, AuditTask } from './parseAuditArguments.ts'
import { type ReadDocument, readExport, readRecord } from './readDocuments.ts'
import { type Issuer, readIssuer } from './readIssuer.ts'
import { readLogKey } from './readLogKey.ts'
import { readSource } from './readSource.ts'

type Hex = `0x${string}`

/** Lines that are searched for the first proof document. */
const BEGINNING_MAX = 1_000

/**
 * Runs one audit and reports it.
 *
 * A fault in a document refutes it; an obstacle to the check, such as an unreachable node, leaves it unchecked.
 */
export async function runAudit(input: AuditArguments, report: AuditReport): Promise<AuditOutcome> {
  let outcome: AuditOutcome
  try {
    outcome = (await auditTask(input, report)) ? 'proven' : 'refuted'
  } catch (error) {
    report.failed(`NOT checked: ${error instanceof Error ? error.message : error}`)
    outcome = 'unchecked'
  }
  report.end(outcome)
  return outcome
}

async function auditTask(input: AuditArguments, report: AuditReport): Promise<boolean> {
  const { task } = input
  const refuted = (reason: string): false => {
    report.failed(`NOT proven: ${reason}.`)
    return false
  }
  const read = await readLogKey(input, report)
  if (!read.ok) return refuted(read.reason)
  const { logKey } = read
  const issuer = await readIssuer(input)
  switch (task.kind) {
    case 'head':
      await openChain(input, null, report)
      if (logKey !== null) report.notChecked('a signature with --log-key: the head on chain has none.')
      return true
    case 'growth':
      return await auditGrowth(await openChain(input, null, report), { task, logKey }, report)
    case 'record': {
      const record = await readRecord(task.source)
      if (record.document === null) return refuted(`${record.name}: ${record.fault}`)
      if (task.isReceipt && typeof record.claims.receipt !== 'string')
        return refuted(`${record.name} contains no receipt`)
      const chain = await openChain(input, record.document.contract, report)
      return await auditOneRecord(chain, record, { logKey, issuer }, report)
    }
    case 'export':
      return await auditFile({ ...input, logKey }, { ...task, issuer }, report)
  }
}

/** Reads the file only once, because it may be a pipe. Without --contract, the first proof document names the contract. */
async function auditFile(
  input: AuditArguments,
  { file, range, received, issuer }: Extract<AuditTask, { kind: 'export' }> & { issuer: Issuer | null },
  report: AuditReport,
): Promise<boolean> {
  const lines = readExport(file)
  try {
    const first = input.contract === null ? await readBeginning(lines) : []
    const named = input.contract ?? first.at(-1)?.document?.contract ?? null
    if (named === null) {
      const among = first.length === BEGINNING_MAX ? ` in its first ${BEGINNING_MAX} lines` : ''
      report.failed(`NOT proven: ${file} contains no proof document${among}.`)
      return false
    }
    const chain = await openChain(input, named, report)
    const options = { range, logKey: input.logKey, issuer, received: await readReceived(received) }
    return await auditExport(chain, concatenate(first, lines), options, report)
  } finally {
    await lines.return(undefined)
  }
}

/** Reads the identifiers of records that the auditor received; null without them. */
async function readReceived(file: string | null): Promise<string[] | null> {
  if (file === null) return null
  return (await readSource(file, 'received')).split(/\s+/).filter((id) => id !== '')
}

/** Reads up to the first proof document, or a limited number of lines if there is none. */
async function readBeginning(lines: AsyncGenerator<ReadDocument>): Promise<ReadDocument[]> {
  const read: ReadDocument[] = []
  while (read.length < BEGINNING_MAX) {
    const { value, done } = await lines.next()
    if (done) break
    read.push(value)
    if (value.document !== null) break
  }
  return read
}

async function* concatenate(first: readonly ReadDocument[], lines: AsyncIterable<ReadDocument>) {
  yield* first
  yield* lines
}

/** @param named The contract that the proof names, used if the caller gave none. */
async function openChain(
  input: AuditArguments,
  named: string | null,
  report: AuditReport,
): Promise<AuditChain> {
  const contract = input.contract ?? named
  if (contract === null) throw new Error('No contract was given.')
  const mirror = input.mirror === null ? null : openLogMirror(input.mirror.of, input.mirror.registry)
  const chain = await openAuditChain({
    ...{ rpc: input.rpc, contract: contract as Hex, logId: input.log, mirror },
  })
  const { head } = chain
  report.title('Audit log')
  report.fact('log', chain.logId)
  if (mirror !== null) report.fact('mirror of', mirror.of)
  const { chainId, blockNumber } = chain
  const location = `${chain.contract} on chain ${chainId}, at block ${blockNumber}`
  report.fact('contract', location, { address: chain.contract, chainId, blockNumber })
  report.fact('operator', head.operator)
  report.fact(
    'head',
    head.anchoredAt === null ? 'nothing is anchored yet' : formatHead(chain),
    toHeadData(chain),
  )
  if (mirror !== null && input.task.kind !== 'head')
    report.notChecked(
      'where the log itself is anchored: a mirror does not show the chain, contract, batch and transaction that a proof names.',
    )
  if (input.contract === null) {
    report.notChecked(
      'the contract’s address comes from the proof itself, and a forged proof can name a contract that agrees with it. ' +
        'Compare it with the published address, or pass --contract.',
    )
  }
  return chain
}

function formatHead({ head }: AuditChain): string {
  return `batch ${head.batch}, ${head.size} records, root ${head.root}, ${head.anchoredAt?.toISOString()}`
}

function toHeadData({ head: { batch, size, root, anchoredAt } }: AuditChain): object | null {
  return anchoredAt === null ? null : { batch, size, root, anchoredAt: anchoredAt.toISOString() }
}
