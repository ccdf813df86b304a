import type { AuditArguments } from './auditArguments.ts'
import { type AuditChain, openAuditChain } from './auditChain.ts'
import { auditExport } from './auditExport.ts'
import { auditOneRecord } from './auditOneRecord.ts'
import type { AuditReport } from './auditReport.ts'
import { readExport, readRecord } from './readDocuments.ts'

type Hex = `0x${string}`

/**
 * Runs one audit and reports it.
 *
 * @returns Whether everything was proven; a failure of any kind is reported and is not.
 */
export async function runAudit(input: AuditArguments, report: AuditReport): Promise<boolean> {
  try {
    if (input.record !== null) {
      const read = await readRecord(input.record)
      const contract = input.contract ?? read.document?.contract ?? null
      if (contract === null) throw new Error(`${read.name}: ${read.fault}.`)
      return await auditOneRecord(await openChain(input, contract, report), read, report)
    }
    if (input.exportFile !== null) {
      const contract = input.contract ?? (await contractOf(input.exportFile))
      const chain = await openChain(input, contract, report)
      return await auditExport(chain, readExport(input.exportFile), report)
    }
    if (input.contract === null) throw new Error('No contract was named.')
    await openChain(input, input.contract, report)
    return true
  } catch (error) {
    report.failed(`NOT proven: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

async function openChain(input: AuditArguments, contract: string, report: AuditReport): Promise<AuditChain> {
  const chain = await openAuditChain({ rpc: input.rpc, contract: contract as Hex, logId: input.log })
  const { head } = chain
  report.title(`Audit log ${chain.logId}`)
  report.fact('contract', `${chain.contract} on chain ${chain.chainId}, at block ${chain.blockNumber}`)
  report.fact('operator', head.operator)
  report.fact('head', head.anchoredAt === null ? 'nothing is anchored yet' : headLine(chain))
  if (input.contract === null) {
    report.warned(
      'The contract’s address is the proof’s own word, and whoever makes a proof can name a contract that agrees with ' +
        'it: compare it with the published address, or pass --contract.',
    )
  }
  return chain
}

function headLine({ head }: AuditChain): string {
  return `batch ${head.batch}, ${head.size} records, root ${head.root}, ${head.anchoredAt?.toISOString()}`
}

async function contractOf(exportFile: string): Promise<string> {
  for await (const { document } of readExport(exportFile)) {
    if (document !== null) return document.contract
  }
  throw new Error(`${exportFile} holds no proof document.`)
}
