import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { type FaultScene, openFaultScene } from '../harness/faults/openFaultScene.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { countDecisions } from '../harness/service/countDecisions.ts'
import { findMissingRecords } from '../harness/values/findMissingRecords.ts'

const CONNECTIONS = 16
const ROUNDS = { none: 1, short: 2, full: 20 }[faultMode]

describe('a database that another process uses', function () {
  this.timeout(600_000)
  const folder = createTemporaryFolder()
  let scene: FaultScene
  let other: Database.Database

  before(async () => {
    scene = await openFaultScene({ dataDir: folder.path })
    other = new Database(join(folder.path, 'svc.sqlite'))
  })
  after(async () => {
    other?.close()
    await scene?.close()
    folder.remove()
  })

  /** Keeps clients asking during `action`; exactly the returned decisions must be stored. */
  async function expectWhole(action: (load: ReturnType<FaultScene['load']>) => Promise<void>) {
    const before = countDecisions(scene.stored())
    const load = scene.load(CONNECTIONS)
    await waitUntil(async () => (load.answered.length > 50 ? true : null))
    await action(load)
    const reached = load.answered.length
    await waitUntil(async () => (load.answered.length > reached + 50 ? true : null))
    await load.stop()
    const stored = scene.stored()
    expect(load.broken).to.equal(0)
    expect(findMissingRecords(stored, load.answered)).to.deep.equal([])
    expect(countDecisions(stored) - before).to.equal(load.answered.length)
    return load
  }

  it('causes 503 with Retry-After after a bounded wait while another process writes, and then recovers', async () => {
    let refused = 0
    let longestMs = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = await expectWhole(async (load) => {
        other.exec('BEGIN IMMEDIATE')
        try {
          const begun = performance.now()
          const answer = await scene.verify()
          longestMs = Math.max(longestMs, performance.now() - begun)
          expect(answer.status).to.equal(503)
          expect(answer.headers.get('retry-after')).to.match(/^\d+$/)
          await waitUntil(async () => (load.statuses.has(503) ? true : null))
        } finally {
          other.exec('ROLLBACK')
        }
      })
      expect([...load.statuses.keys()]).to.have.members([200, 503])
      refused += load.statuses.get(503) ?? 0
    }
    reportFaultFigure(
      `another writer, ${ROUNDS} times: ${refused} requests refused with 503 and Retry-After within ${Math.round(longestMs)} ms, 0 of them stored, 0 groups committed partially`,
    )
  })

  it('is not slowed by a long reader or a running backup', async () => {
    const load = await expectWhole(async (load) => {
      other.exec('BEGIN')
      const count = () => other.prepare('SELECT count(*) AS count FROM audit_records').get()
      const seen = count()
      const copy = join(folder.path, 'copy.sqlite')
      const source = new Database(join(folder.path, 'svc.sqlite'), { readonly: true })
      await source.backup(copy, { progress: () => 16 })
      source.close()
      const reached = load.answered.length
      await waitUntil(async () => (load.answered.length > reached + 500 ? true : null))
      expect(count()).to.deep.equal(seen)
      other.exec('COMMIT')
      const copied = new Database(copy, { readonly: true })
      expect(copied.pragma('integrity_check', { simple: true })).to.equal('ok')
      copied.close()
    })
    expect([...load.statuses.keys()]).to.deep.equal([200])
    reportFaultFigure(`a long reader and a backup: ${load.answered.length} decisions, 0 requests refused`)
  })
})
