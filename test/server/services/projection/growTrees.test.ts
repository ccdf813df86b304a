import { chooseLog } from '@svc/core/audit/chooseLog.ts'
import { hashLeaf, rootOfPeaks } from '@svc/core/audit/merkleHash.ts'
import { appendLeaves, locatePeaks } from '@svc/core/audit/merkleTree.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { discardForeignFeed, projectChunk } from '../../../../server/services/projection/projectChunk.ts'
import { createLogStore } from '../../../../server/store/audit/logStore.ts'
import { advisoryLocks } from '../../../../server/store/database/locks/locks.advisory.ts'
import { createSqliteProjectionStore } from '../../../../server/store/feed/projectionStore.sqlite.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'

/** Appends records of organisations, changes the number of logs, or projects so many records at once. */
type Step =
  | { kind: 'append'; owners: number[] }
  | { kind: 'logs'; logs: number }
  | { kind: 'project'; max: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('append' as const),
    owners: fc.array(fc.integer({ min: -1, max: 9 }), { minLength: 1, maxLength: 12 }),
  }),
  fc.record({ kind: fc.constant('logs' as const), logs: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('project' as const), max: fc.integer({ min: 1, max: 9 }) }),
)

/** No endpoint, but an agent, and neither of them. */
const ownersOf = (owner: number) => {
  if (owner < 0) return { ownerId: null, counterpartyOwnerId: null }
  return owner % 3 === 0
    ? { ownerId: `SVCO-${owner}`, counterpartyOwnerId: null }
    : { ownerId: 'SVCD-agents', counterpartyOwnerId: `SVCO-${owner}` }
}

describe('growTrees', function () {
  this.timeout(120_000)

  it('gives records the next places in the logs of their organisations, however many are projected at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
        const database = await openAuditDatabase('sqlite')
        const store = createSqliteProjectionStore(database.files)
        const logs = createLogStore(database.db.query)
        const expected: { log: number; index: number; entry: string }[] = []
        const sizes: number[] = []
        let count = 1
        try {
          for (const one of steps) {
            if (one.kind === 'project') projectChunk(store, one.max)
            else if (one.kind === 'logs') {
              count = one.logs
              await database.db.transaction((trx) => logs.setCount(trx, count, advisoryLocks))
            } else {
              const records = one.owners.map((owner, nth) =>
                buildNumberedRecord(expected.length + nth, ownersOf(owner)),
              )
              await database.append(records)
              for (const { ownerId, counterpartyOwnerId, entry } of records) {
                const log = chooseLog(counterpartyOwnerId ?? ownerId, count)
                sizes[log] = (sizes[log] ?? 0) + 1
                expected.push({ log, index: sizes[log] - 1, entry })
              }
            }
          }
          while (projectChunk(store) < expected.length);
          const places = await logs.placesOf(expected.map((_, seq) => seq))
          expect(expected.map((_, seq) => places.get(seq))).to.deep.equal(
            expected.map(({ log, index }) => ({ log, index })),
          )
          for (const [log, size = 0] of sizes.entries()) {
            expect(store.treeSize(log)).to.equal(size)
            const peaks = locatePeaks(size).map((address) => store.node(address, log) ?? new Uint8Array())
            const leaves = expected.filter((place) => place.log === log).map(({ entry }) => hashLeaf(entry))
            const own = appendLeaves([], 0, leaves)
            expect(Buffer.from(rootOfPeaks(peaks))).to.deep.equal(Buffer.from(rootOfPeaks(own.peaks)))
          }
          for (const [seq, { log, index }] of expected.entries())
            expect(await logs.seqAt({ log, index })).to.equal(seq)
          expect(discardForeignFeed(store)).to.equal(false)
        } finally {
          store.close()
          await database.close()
        }
      }),
      { numRuns: 40 },
    )
  })

  it('notices a feed of another log by the last record of its own log', async () => {
    const database = await openAuditDatabase('sqlite')
    const store = createSqliteProjectionStore(database.files)
    try {
      await database.db.transaction((trx) =>
        createLogStore(database.db.query).setCount(trx, 4, advisoryLocks),
      )
      await database.append([1, 2, 4, 5].map((owner) => buildNumberedRecord(owner, ownersOf(owner))))
      projectChunk(store)
      await database.db.query('audit_records').where({ seq: 3 }).update({ entry: '{}' })
      expect(discardForeignFeed(store)).to.equal(true)
      expect([store.nextSeq(), store.treeSize(0)]).to.deep.equal([0, 0])
    } finally {
      store.close()
      await database.close()
    }
  })

  it('rebuilds a feed that a release with one log has continued', async () => {
    const database = await openAuditDatabase('sqlite')
    const store = createSqliteProjectionStore(database.files)
    try {
      await database.append([1, 2, 4].map((owner) => buildNumberedRecord(owner, ownersOf(owner))))
      projectChunk(store)
      await database.db.transaction((trx) =>
        createLogStore(database.db.query).setCount(trx, 4, advisoryLocks),
      )
      await database.append([5, 7, 8].map((owner) => buildNumberedRecord(owner, ownersOf(owner))))
      projectChunk(store, 2)
      await database.db.query('feed.log_places').delete()
      expect(() => projectChunk(store)).to.throw('as if there was one log')
      expect(discardForeignFeed(store)).to.equal(true)
      expect(projectChunk(store)).to.equal(6)
      expect(discardForeignFeed(store)).to.equal(false)
    } finally {
      store.close()
      await database.close()
    }
  })
})
