import { statSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { openSqlite } from '../../../../../server/store/database/openSqlite.ts'
import {
  createWalCheckpointer,
  type WalCheckpointer,
} from '../../../../../server/store/database/wal/walCheckpointer.sqlite.ts'
import { createTemporaryFolder } from '../../../../harness/runner/createTemporaryFolder.ts'

const PAGE = 4096

describe('the checkpointer of a write-ahead log', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  let file: string
  let writer: Sqlite.Database
  let checkpointer: WalCheckpointer

  beforeEach(() => {
    folder = createTemporaryFolder()
    file = join(folder.path, 'a.sqlite')
    writer = openSqlite(file)
    writer.exec('CREATE TABLE pages (content BLOB)')
    checkpointer = createWalCheckpointer(file, { passiveBytes: 20 * PAGE, truncateBytes: 60 * PAGE })
  })

  afterEach(() => {
    checkpointer.close()
    writer.close()
    folder.remove()
  })

  const write = (pages: number) => {
    for (let page = 0; page < pages; page += 1) {
      writer.prepare('INSERT INTO pages VALUES (zeroblob(3500))').run()
    }
  }
  const state = () => (writer.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[])[0]

  it('does nothing for a short log', () => {
    write(2)
    checkpointer.run()
    expect(state()?.checkpointed).to.equal(0)
  })

  it('copies a longer one, which a writer then restarts', () => {
    write(12)
    checkpointer.run()
    const { log, checkpointed } = state() ?? { log: -1, checkpointed: -2 }
    expect(checkpointed).to.equal(log)
    write(1)
    expect(state()?.log).to.be.below(log)
  })

  it('restarts a long one in its file, once', () => {
    const restarting = createWalCheckpointer(file, {
      passiveBytes: 20 * PAGE,
      restartBytes: 40 * PAGE,
      truncateBytes: 4000 * PAGE,
    })
    write(40)
    const reached = restarting.run()
    expect(restarting.run()).to.equal(reached)
    const { size } = statSync(`${file}-wal`)
    write(2)
    expect(statSync(`${file}-wal`).size).to.equal(size)
    expect((state()?.log ?? 0) * PAGE).to.be.below(reached)
    restarting.close()
  })

  it('truncates one that exceeded the limit', () => {
    write(60)
    expect(checkpointer.run()).to.equal(0)
  })

  it('gives up immediately during a read, so that writers continue, and truncates it afterwards', () => {
    const reader = openSqlite(file, { readonly: true })
    reader.exec('BEGIN')
    reader.prepare('SELECT COUNT(*) FROM pages').get()
    write(60)
    expect(checkpointer.run()).to.be.at.least(60 * PAGE)
    write(1)
    reader.exec('COMMIT')
    expect(checkpointer.run()).to.equal(0)
    expect(reader.prepare('SELECT COUNT(*) AS pages FROM pages').get()).to.deep.equal({ pages: 61 })
    reader.close()
  })

  it('does not fail during a writer’s transaction', () => {
    write(60)
    writer.exec('BEGIN IMMEDIATE')
    expect(checkpointer.run()).to.be.at.least(60 * PAGE)
    writer.exec('COMMIT')
    expect(checkpointer.run()).to.equal(0)
  })
})
