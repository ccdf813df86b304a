import { expect } from 'chai'
import { sealBatch } from '../../../../server/services/audit/sealBatch.ts'
import { openProofStore } from '../../../../server/store/audit/openProofStore.ts'
import type { ProofStore } from '../../../../server/store/audit/proofStore.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import {
  type AuditPipeline,
  DEPLOYMENT,
  openAuditPipeline,
} from '../../../harness/database/openAuditPipeline.ts'

const ADDRESSES = [
  { level: 0, index: 4 },
  { level: 2, index: 0 },
  { level: 1, index: 1 },
]

describe('the proof store', () => {
  let pipeline: AuditPipeline
  /** With the driver directly, and with the portable queries, both on the same database. */
  let stores: ProofStore[]

  before(async () => {
    pipeline = await openAuditPipeline()
    const { query } = pipeline.db
    stores = [
      openProofStore(pipeline.files, query),
      openProofStore({ ...pipeline.files, databaseUrl: 'postgres://' }, query),
    ]
  })

  after(async () => {
    for (const store of stores) store.close()
    await pipeline.close()
  })

  const { recordId } = buildNumberedRecord(3)
  const answersOf = async ({ records, log }: ProofStore) => {
    const record = await records.byRecordId(recordId)
    const { batches, tree, deployment } = log(0)
    const batch = await batches.lastConfirmed()
    const place = await deployment()
    const nodes = await tree.nodes(ADDRESSES)
    return {
      record: record && { log: record.log, index: record.index, entry: record.entry },
      batch: batch && [batch.number, batch.newSize, batch.root, batch.transactionHash, batch.blockNumber],
      place: place && [place.chainId, place.auditLog, place.logId],
      nodes: nodes
        .map(({ level, index, hash }) => `${level}/${index} ${Buffer.from(hash).toString('hex')}`)
        .sort(),
    }
  }

  it('is empty at first', async () => {
    for (const store of stores) {
      expect(await answersOf(store)).to.deep.equal({ record: null, batch: null, place: null, nodes: [] })
    }
  })

  it('sees everything committed before the call, on either implementation', async () => {
    for (let number = 1; number <= 2; number += 1) {
      await pipeline.append(Array.from({ length: 5 }, (_, i) => buildNumberedRecord(number * 5 - 5 + i)))
      const sealed = await sealBatch({ ...pipeline, limits: { batchSize: 1, batchSeconds: 5 } }, Date.now())
      const [unconfirmed] = await Promise.all(stores.map(answersOf))
      expect(unconfirmed?.batch?.[0] ?? 0, 'a batch counts when it is final').to.equal(number - 1)
      await pipeline.confirm(number)
      const [direct, portable] = await Promise.all(stores.map(answersOf))
      expect(direct).to.deep.equal(portable)
      expect(direct?.record).to.deep.equal({ log: 0, index: 3, entry: buildNumberedRecord(3).entry })
      expect(direct?.batch).to.include.members([number, number * 5, sealed?.root])
      expect(direct?.place).to.deep.equal([DEPLOYMENT.chainId, DEPLOYMENT.auditLog, DEPLOYMENT.logId])
      expect(direct?.nodes).to.have.length(3)
    }
  })
})
