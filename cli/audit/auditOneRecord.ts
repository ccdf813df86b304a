import type { AnchoredBatch } from './anchoredBatch.ts'
import type { AuditReport } from './createTextReport.ts'
import { DELAY_MAX_MS, findTimeFault } from './findTimeFault.ts'
import { listUnprovenMembers } from './listUnprovenMembers.ts'
import type { AuditChain } from './openAuditChain.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import type { ReadDocument } from './readDocuments.ts'
import type { Issuer } from './readIssuer.ts'
import { reportReceipt } from './reportReceipt.ts'
import { reportUnprovenMembers } from './reportUnprovenMembers.ts'
import type { Verdict } from './verifyDocument.ts'
import { receiptOf, verifyReadDocument } from './verifyReadDocument.ts'

type Proven = Extract<Verdict, { ok: true }>

/** Checks one record, with its receipt if the document has one, and reports its contents and where it is anchored. */
export async function auditOneRecord(
  chain: AuditChain,
  read: ReadDocument,
  { logKey, issuer }: { logKey: VerifierKey | null; issuer: Issuer | null },
  report: AuditReport,
): Promise<boolean> {
  report.title(read.name)
  const refuted = (reason: string): false => {
    report.failed(`NOT proven: ${reason}.`)
    return false
  }
  const verdict = await verifyReadDocument(chain, read, logKey, { issuer })
  if (!verdict.ok) return refuted(verdict.reason)
  const { entry, index, batch } = verdict
  const first = await chain.firstBatchOf(index, batch, new Date(entry.time))
  report.fact('record', `${entry.recordId}, number ${index} of the log`, { ...entry, seq: index })
  report.fact('says', `${entry.type}${entry.decision === null ? '' : `, ${entry.decision}`}`)
  if (entry.dimensions.length > 0) report.fact('because of', entry.dimensions.join(', '))
  if (entry.agentId !== null) report.fact('agent', entry.agentId)
  const receipt = receiptOf(read.claims)
  if (receipt !== null) {
    const newest = await chain.blockTime(chain.blockNumber)
    // The key next to the proof belongs to the receipt next to it, and is not compared with one in an archived record.
    const issuerKey = typeof read.claims.receipt === 'string' ? read.claims.issuerKey : undefined
    reportReceipt({ receipt, issuerKey, issuer, newest }, report)
  }
  if (receipt === null && issuer !== null)
    report.notChecked('an issuer with --issuer or --issuer-keys: the document has no receipt.')
  report.fact('leaf', `${read.document?.leafHash}`)
  await reportPlace(chain, { first, proven: verdict }, report)
  const late = findTimeFault(new Date(entry.time), first, await chain.blockTime(first.blockNumber))
  if (late !== null) return refuted(late)
  if (chain.mirror === null) await warnOfDelay(chain, entry.time, first, report)
  report.passed('the entry hashes to the leaf, and the inclusion proof leads from the leaf to the root')
  reportSignature(read, logKey, report)
  report.passed(describeRoot(chain, verdict))
  if (verdict.contractAgrees) report.passed('the contract itself confirms that the leaf is included')
  else if (batch.number < chain.head.batch)
    report.passed(
      `the log has since grown to batch ${chain.head.batch}; the contract checked that each batch extends the one before`,
    )
  reportUnprovenMembers(listUnprovenMembers(read.claims, entry), report)
  report.proven()
  return true
}

function describeRoot({ logId }: AuditChain, { batch, isRootOfBatch }: Proven): string {
  const place = `batch ${batch.number} of log ${logId}`
  return isRootOfBatch
    ? `the root is on chain: ${place}`
    : `a later root is on chain: ${place}; the service proves that its log extends the one of the proof`
}

/** Reports the root with its block, and the time in the entry beside that of the block that first anchored it. */
async function reportPlace(
  chain: AuditChain,
  { first, proven: { entry, batch } }: { first: AnchoredBatch; proven: Proven },
  report: AuditReport,
): Promise<void> {
  report.fact('root', `${batch.root}, over ${batch.newSize} records`)
  report.fact('transaction', batch.transactionHash)
  const since = chain.blockNumber - batch.blockNumber
  const age = since === 0 ? 'the newest' : `${since} before the newest`
  const time = (await chain.blockTime(batch.blockNumber)).toISOString()
  report.fact('block', `${batch.blockNumber}, ${age}, ${time}`, { number: batch.blockNumber, time })
  report.fact('dated', entry.time)
  const anchoredAt = (await chain.blockTime(first.blockNumber)).toISOString()
  report.fact('anchored', `${anchoredAt}, first in batch ${first.number}, block ${first.blockNumber}`, {
    ...{ batch: first.number, blockNumber: first.blockNumber, time: anchoredAt },
  })
}

/** A batch is sealed after the one before it, whose block is usually only seconds later than what it contains. */
async function warnOfDelay(
  chain: AuditChain,
  time: string,
  first: AnchoredBatch,
  report: AuditReport,
): Promise<void> {
  const before = await chain.batchBefore(first)
  if (before === null) return
  const sealedAfter = await chain.blockTime(before.blockNumber)
  if (Date.parse(time) >= sealedAfter.getTime() - DELAY_MAX_MS) return
  report.warned(
    `the entry is dated ${time}, but the log did not have it in block ${before.blockNumber} of ` +
      `${sealedAfter.toISOString()}: it is dated back, or it waited that long for its anchor.`,
  )
}

function reportSignature(
  { checkpoint }: ReadDocument,
  logKey: VerifierKey | null,
  report: AuditReport,
): void {
  if (checkpoint !== null && logKey !== null)
    report.passed('the checkpoint with that root is signed with the key of the log')
  if (checkpoint !== null && logKey === null)
    report.notChecked('the signature of the checkpoint: pass --log-key.')
  if (checkpoint === null && logKey !== null)
    report.notChecked('a signature with --log-key: a proof in JSON has none. Get it as text to check one.')
}
