import { z } from 'zod'
import { auditExport } from './auditExport.ts'
import { auditGrowth } from './auditGrowth.ts'
import { auditOneRecord } from './auditOneRecord.ts'
import type { AuditOutcome, AuditReport } from './createTextReport.ts'
import { followHandovers } from './followHandovers.ts'
import { type AuditChain, openAuditChain } from './openAuditChain.ts'
import type { AuditArguments, AuditTask } from './parseAuditArguments.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import { type ReadDocument, readExport, readRecord } from './readDocuments.ts'
import { readSource } from './readSource.ts'

type Hex = `0x${string}`

/** Where a saved response of `GET /api/audit/key` has its hand-overs. */
const keyDocument = z.object({ handovers: z.array(z.string()).max(1_000) })

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

/** The pinned key with the keys it has handed over to. */
async function readLogKey({ logKey, handovers }: AuditArguments): Promise<VerifierKey | null> {
  if (logKey === null || handovers === null) return logKey
  const { success, data } = keyDocument.safeParse(JSON.parse(await readSource(handovers)))
  if (!success) throw new Error(`${handovers} is no response of GET /api/audit/key`)
  const successors = followHandovers(logKey, data.handovers).successors.map(({ key }) => key)
  return { ...logKey, successors }
}

async function auditTask(input: AuditArguments, report: AuditReport): Promise<boolean> {
  const { task } = input
  const logKey = await readLogKey(input)
  switch (task.kind) {
    case 'head':
      await openChain(input, null, report)
      return true
    case 'growth':
      return await auditGrowth(await openChain(input, null, report), { task, logKey }, report)
    case 'record': {
      const read = await readRecord(task.source)
      if (read.document === null) {
        report.failed(`NOT proven: ${read.name}: ${read.fault}.`)
        return false
      }
      if (task.isReceipt && typeof read.claims.receipt !== 'string') {
        report.failed(`NOT proven: ${read.name} contains no receipt.`)
        return false
      }
      return await auditOneRecord(
        await openChain(input, read.document.contract, report),
        read,
        logKey,
        report,
      )
    }
    case 'export':
      return await auditFile({ ...input, logKey }, task, report)
  }
}

/** Reads the file only once, because it may be a pipe. Without --contract, the first proof document names the contract. */
async function auditFile(
  input: AuditArguments,
  { file, range }: Extract<AuditTask, { kind: 'export' }>,
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
    return await auditExport(chain, concatenate(first, lines), { range, logKey: input.logKey }, report)
  } finally {
    await lines.return(undefined)
  }
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
  const chain = await openAuditChain({ rpc: input.rpc, contract: contract as Hex, logId: input.log })
  const { head } = chain
  report.title('Audit log')
  report.fact('log', chain.logId)
  const { chainId, blockNumber } = chain
  const location = `${chain.contract} on chain ${chainId}, at block ${blockNumber}`
  report.fact('contract', location, { address: chain.contract, chainId, blockNumber })
  report.fact('operator', head.operator)
  report.fact(
    'head',
    head.anchoredAt === null ? 'nothing is anchored yet' : formatHead(chain),
    toHeadData(chain),
  )
  if (input.contract === null) {
    report.warned(
      'The contract’s address comes from the proof itself, and a forged proof can name a contract that agrees with it. ' +
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
