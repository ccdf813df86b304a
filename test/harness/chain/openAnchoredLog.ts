import { type ChainClient, createChainClient, relayerAccountOf } from '../../../server/chain/chainClient.ts'
import { deployContracts } from '../../../server/chain/deployContracts.ts'
import { sendAndWait } from '../../../server/chain/sendAndWait.ts'
import { sealBatch } from '../../../server/services/audit/sealBatch.ts'
import { createAnchorStore } from '../../../server/store/audit/anchorStore.ts'
import { createDeploymentStore } from '../../../server/store/relayer/deploymentStore.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { DEPLOYMENT, openAuditPipeline } from '../database/openAuditPipeline.ts'
import { takeChain } from './takeChain.ts'

const SENDING = { confirmations: 1, maxFeePerGas: 10n ** 11n }

export type AnchoredLog = Awaited<ReturnType<typeof openAnchoredLog>>

/**
 * Opens an audit log whose batches are anchored on a real local chain, without the rest of the service. Its entries are of
 * versions 1 and 2 in turn.
 */
export async function openAnchoredLog({ logId = DEPLOYMENT.logId } = {}) {
  const pipeline = await openAuditPipeline()
  const local = await takeChain()
  const chain: ChainClient = createChainClient({
    url: () => local.url,
    account: relayerAccountOf(undefined),
    random: () => 0.5,
  })
  const contracts = await deployContracts(chain, {
    logId,
    renameLog: async () => logId,
    existing: {},
    ...SENDING,
  })
  await pipeline.transaction((trx) =>
    createDeploymentStore(pipeline.db.query).save(trx, { ...DEPLOYMENT, ...contracts, logId }, 0),
  )
  const anchors = createAnchorStore(pipeline.db.query)
  return {
    ...pipeline,
    rpcUrl: local.url,
    logId,
    contract: contracts.auditLog,
    /** Appends this many records and anchors them as one batch. */
    async anchorRecords(count: number): Promise<void> {
      const first = await pipeline.records.size()
      await pipeline.append(Array.from({ length: count }, (_, i) => buildNextRecord(first + i)))
      const batch = await sealBatch({ ...pipeline, limits: { batchSize: 1, batchSeconds: 5 } }, Date.now())
      if (batch === null) throw new Error('nothing was sealed')
      const data = chain.auditLog.encodeAnchor({ ...batch, logId, batch: batch.number })
      const { hash, block } = await sendAndWait(chain, { to: contracts.auditLog, data }, SENDING)
      await pipeline.transaction((trx) =>
        anchors.markConfirmed(trx, batch.number, { hash, block, confirmedAt: Date.now() }),
      )
    },
    async close() {
      await local.stop()
      await pipeline.close()
    },
  }
}

function buildNextRecord(seq: number) {
  return buildNumberedRecord(seq, seq % 2 === 0 ? { seq } : {})
}
