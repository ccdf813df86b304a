import { expect } from 'chai'
import { openAuditChain } from '../../../cli/audit/openAuditChain.ts'
import { verifyDocument } from '../../../cli/audit/verifyDocument.ts'
import { readProof } from '../../../server/services/audit/readProof.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'

describe('verifyDocument', () => {
  let log: AnchoredLog
  before(async () => {
    log = await openAnchoredLog()
    await log.anchorRecords(7)
  })
  after(() => log.close())

  it('proves a document even if another batch is anchored meanwhile', async () => {
    const document = await readProof(
      { ...log, batchSeconds: 5 },
      { recordId: buildNumberedRecord(3).recordId },
    )
    const { contract, logId } = log
    const chain = await openAuditChain({ rpc: log.rpcUrl, contract, logId })
    expect(await verifyDocument(chain, document)).to.include({ ok: true, contractAgrees: true })
    await log.anchorRecords(6)
    expect(await verifyDocument(chain, document)).to.include({ ok: true, contractAgrees: false })
  })
})
