import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import { appendLeaves } from '@svc/core/audit/merkleTree.ts'
import { expect } from 'chai'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'

const CHILD = new URL('../../../harness/database/projectUntilKilled.ts', import.meta.url).pathname
const SIZE = 20_000
const KILLS = 8

describe('a killed projection', () => {
  it('loses nothing and repeats nothing, whenever kill -9 hits it', async () => {
    const database = await openAuditDatabase()
    const { databaseFile, feedFile } = database.files
    const project = (): ChildProcess => spawn(process.execPath, [CHILD, databaseFile, feedFile])
    const size = async () => (await database.db.query('feed.projection_state').first('next_seq')).next_seq
    const list = Array.from({ length: SIZE }, (_, nth) => buildNumberedRecord(nth))
    await database.append(list)

    const sizes: number[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = project()
      await once(child.stdout ?? child, 'data')
      const target = (SIZE / KILLS) * kill * 0.5 + 1
      while ((await size()) < target) await new Promise(setImmediate)
      child.kill('SIGKILL')
      await once(child, 'exit')
      sizes.push(await size())
    }
    expect(sizes.at(-1)).to.be.below(SIZE)
    await once(project(), 'exit')

    expect(await size()).to.equal(SIZE)
    const leaves = list.map(({ entry }) => hashLeaf(entry))
    const expected = appendLeaves([], 0, leaves).nodes.map(({ hash }) => Buffer.from(hash))
    const nodes = await database.db.query('feed.tree_nodes').select('hash').orderBy('position')
    expect(nodes.map(({ hash }) => hash)).to.deep.equal(expected)
    const [{ events, sum }] = await database.db
      .query('feed.party_events')
      .select(database.db.query.raw('COUNT(*) AS events, SUM(seq) AS sum'))
    expect({ events, sum }).to.deep.equal({ events: 2 * SIZE, sum: SIZE * (SIZE - 1) })
    await database.close()
  })
})
