import { expect } from 'chai'
import { configureLogs } from '../../../../server/services/audit/configureLogs.ts'
import { projectChunk } from '../../../../server/services/projection/projectChunk.ts'
import { createAuditExportStore } from '../../../../server/store/audit/auditExportStore.ts'
import { createLogStore } from '../../../../server/store/audit/logStore.ts'
import { advisoryLocks } from '../../../../server/store/database/locks/locks.advisory.ts'
import { findIncompatible } from '../../../../server/store/database/numberedMigration.ts'
import { createSqliteProjectionStore } from '../../../../server/store/feed/projectionStore.sqlite.ts'
import { createOutboxStore } from '../../../../server/store/relayer/outboxStore.ts'
import { AGENT_OWNER, buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditDatabase, openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'

describe('the log store', () => {
  let database: AuditDatabase
  beforeEach(async () => {
    database = await openAuditDatabase(testedDatabase)
  })
  afterEach(() => database.close())

  it('lets a release that knows of one log start until there are several', async () => {
    const { query, transaction } = database.db
    const former = new Set(['0123_directory', '0117_database_features'])
    const refused = () => findIncompatible(query, ['0124_several_logs'], former)
    expect(await refused()).to.deep.equal([])
    await transaction((trx) => createLogStore(query).setCount(trx, 2, advisoryLocks))
    expect(await refused()).to.deep.equal(['0124_several_logs'])
  })

  it('keeps every log that there has been, also one that never got a record', async () => {
    const { query, transaction } = database.db
    const logs = createLogStore(query)
    let drawn = 0
    const drawLogId = () => {
      drawn += 1
      return `0x${String(drawn).padStart(64, '0')}` as const
    }
    const deps = { logs, outbox: createOutboxStore(query), transaction, locks: advisoryLocks, drawLogId }
    for (const [number, changes] of [
      [1, false],
      [4, true],
      [2, true],
      [2, false],
    ] as const)
      expect(await configureLogs(deps, { number, now: 0 })).to.equal(changes)
    expect(await logs.count()).to.equal(4)
    expect((await logs.ids()).map(({ number }) => number)).to.deep.equal([1, 2, 3])
    expect(await logs.counts()).to.deep.equal([{ fromSeq: 0, logs: 2 }])
    expect(drawn).to.equal(3)
  })

  it('exports a log in parts where most events of a party are in others', async function () {
    if (testedDatabase === 'postgres') this.skip()
    const { query, transaction } = database.db
    const logs = createLogStore(query)
    await transaction((trx) => logs.setCount(trx, 3, advisoryLocks))
    const shops = ['SVCO-1', 'SVCO-2', 'SVCO-3', 'SVCO-4', 'SVCO-5']
    await database.append(
      Array.from({ length: 60 }, (_, nth) =>
        buildNumberedRecord(nth, { counterpartyOwnerId: shops[nth % 5] ?? '' }),
      ),
    )
    const projection = createSqliteProjectionStore(database.files)
    projectChunk(projection)
    const exports = createAuditExportStore(query, { part: 3, parts: 2 })
    for (const log of [0, 1, 2]) {
      const to = projection.treeSize(log) - 1
      const found: string[] = []
      for (let from: number | null = 0; from !== null && from <= to; ) {
        const read = await exports.ofParties([AGENT_OWNER], { from, to }, { log, limit: 4 })
        found.push(...read.records.map(({ seq, index }) => `${seq} ${index}`))
        const last = read.records.at(-1)
        from = read.next ?? (read.records.length === 4 && last ? last.index + 1 : null)
      }
      const expected = await query('feed.log_places').select('seq', 'place').where({ log }).orderBy('place')
      expect(found).to.deep.equal(expected.map(({ seq, place }) => `${seq} ${place}`))
    }
    projection.close()
  })
})
