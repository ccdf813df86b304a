import type { AuditReport } from './createTextReport.ts'
import type { AuditChain } from './openAuditChain.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import type { ReadDocument } from './readDocuments.ts'
import { reportReceipt } from './reportReceipt.ts'
import { verifyReadDocument } from './verifyReadDocument.ts'

/** Checks one record, with its receipt if the document has one, and reports its contents and where it is anchored. */
export async function auditOneRecord(
  chain: AuditChain,
  read: ReadDocument,
  logKey: VerifierKey | null,
  report: AuditReport,
): Promise<boolean> {
  report.title(read.name)
  const verdict = await verifyReadDocument(chain, read, logKey)
  if (!verdict.ok) {
    report.failed(`NOT proven: ${verdict.reason}.`)
    return false
  }
  const { entry, index, batch } = verdict
  const anchoredAt = await chain.blockTime(batch.blockNumber)
  report.fact('record', `${entry.recordId}, number ${index} of the log`, { ...entry, seq: index })
  report.fact('says', `${entry.type}${entry.decision === null ? '' : `, ${entry.decision}`}, ${entry.time}`)
  if (entry.dimensions.length > 0) report.fact('because of', entry.dimensions.join(', '))
  if (entry.agentId !== null) report.fact('agent', entry.agentId)
  const { receipt, issuerKey } = read.claims
  if (typeof receipt === 'string') reportReceipt(receipt, issuerKey !== undefined, report)
  report.fact('leaf', `${read.document?.leafHash}`)
  report.fact('root', `${batch.root}, over ${batch.newSize} records`)
  report.fact('transaction', batch.transactionHash)
  const since = chain.blockNumber - batch.blockNumber
  const age = since === 0 ? 'the newest' : `${since} before the newest`
  const block = `${batch.blockNumber}, ${age}, ${anchoredAt.toISOString()}`
  report.fact('block', block, { number: batch.blockNumber, time: anchoredAt.toISOString() })
  report.passed('the entry hashes to the leaf, and the inclusion proof leads from the leaf to the root')
  if (read.checkpoint !== null) {
    if (logKey === null) report.warned('the signature of the checkpoint was not checked: pass --log-key')
    else report.passed('the checkpoint with that root is signed with the key of the log')
  }
  report.passed(`the root is on chain: batch ${read.document?.batch} of log ${chain.logId}`)
  if (verdict.contractAgrees) report.passed('the contract itself confirms that the leaf is included')
  else
    report.passed(
      `the log has since grown to batch ${chain.head.batch}; the contract checked that each batch extends the one before`,
    )
  report.passed('PROVEN.')
  return true
}
