import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { openSqlite } from '../../../../../server/store/database/openSqlite.ts'
import { openWalSyncs } from '../../../../../server/store/database/wal/walSyncs.sqlite.ts'
import { createTemporaryFolder } from '../../../../harness/runner/createTemporaryFolder.ts'

/** Threads that answer each sync in one way, slowly enough for others to be requested meanwhile. */
const THREADS = {
  succeeding: `setTimeout(() => parentPort.postMessage(null), 5)`,
  failing: `parentPort.postMessage('EIO')`,
  dying: `process.exit(1)`,
}

describe('the syncs of a write-ahead log', () => {
  const folder = createTemporaryFolder()
  const file = `${folder.path}/svc.sqlite`
  const database = openSqlite(file)
  let asked: number

  before(() => database.exec('CREATE TABLE facts (fact TEXT)'))
  beforeEach(() => {
    asked = 0
  })
  after(() => {
    database.close()
    folder.remove()
  })

  function openWith(answer: string) {
    const text = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => { ${answer} })`
    return openWalSyncs(file, () => {
      const thread = new Worker(text, { eval: true })
      const post = thread.postMessage.bind(thread)
      thread.postMessage = (message: unknown) => {
        asked += 1
        post(message)
      }
      return thread
    })
  }

  it('reach the disk on a thread, one after the other, and close with it', async () => {
    const syncs = openWalSyncs(file)
    for (let turn = 0; turn < 3; turn += 1) await syncs.sync()
    await syncs.close()
  })

  it('share the next sync if they are requested during one', async () => {
    const syncs = openWith(THREADS.succeeding)
    const done: number[] = []
    await Promise.all([0, 1, 2, 3].map((nth) => syncs.sync().then(() => done.push(nth))))
    expect({ asked, done }).to.deep.equal({ asked: 2, done: [0, 1, 2, 3] })
    await syncs.close()
  })

  it('fail with the error of the disk', async () => {
    const syncs = openWith(THREADS.failing)
    expect(await errorOf(syncs.sync())).to.include({ code: 'EIO' })
    await syncs.close()
  })

  it('are repeated in this thread if the other one dies, and a new one is started each time', async () => {
    const syncs = openWith(THREADS.dying)
    await syncs.sync()
    await syncs.sync()
    expect(asked).to.equal(2)
    await syncs.close()
  })

  it('fail if there is no log', async () => {
    const syncs = openWalSyncs(`${folder.path}/missing.sqlite`)
    expect(await errorOf(syncs.sync())).to.include({ code: 'ENOENT' })
    await syncs.close()
  })
})

const errorOf = (sync: Promise<void>) => sync.catch((error: unknown) => error)
