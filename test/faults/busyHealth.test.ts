import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { type FaultScene, openFaultScene } from '../harness/faults/openFaultScene.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'

const CONNECTIONS = 16
const LOCKED_MS = { none: 1_000, short: 5_000, full: 20_000 }[faultMode]
/** Requests a minute of a session; ten times as many of an address. */
const RATE = 20
const OTHERS = ['/metrics', '/.well-known/jwks.json']

describe('what operators read, asked by an address that has used up its budget', function () {
  this.timeout(300_000)
  const folder = createTemporaryFolder()
  let scene: FaultScene
  let other: Database.Database

  before(async () => {
    scene = await openFaultScene({ dataDir: folder.path, settings: { API_RATE_PER_MINUTE: String(RATE) } })
    other = new Database(join(folder.path, 'svc.sqlite'))
  })
  after(async () => {
    other?.close()
    await scene?.close()
    folder.remove()
  })

  const statusOf = async (path: string) => (await fetch(scene.baseUrl + path)).status

  const spend = (times: number) =>
    Promise.all(Array.from({ length: times + 1 }, () => statusOf('/api/chain')))

  it('is answered while commits fail, and reports that they do until they work again', async () => {
    expect(await spend(10 * RATE)).to.include(429)
    const load = scene.load(CONNECTIONS)
    const counts = { failing: 0, answered: 0, refused: 0 }
    const spent: Promise<number[]>[] = []
    other.exec('BEGIN IMMEDIATE')
    const lockedAt = performance.now()
    await waitUntil(async () => ((await statusOf('/api/health')) === 503 ? true : null))
    const noticedMs = performance.now() - lockedAt
    while (performance.now() - lockedAt < LOCKED_MS) {
      expect(await statusOf('/api/health')).to.equal(503)
      counts.failing += 1
      spent.push(spend(RATE))
      for (const path of OTHERS) {
        if ((await statusOf(path)) === 200) counts.answered += 1
        else counts.refused += 1
      }
    }
    other.exec('ROLLBACK')
    const freedAt = performance.now()
    await waitUntil(async () => ((await statusOf('/api/health')) === 200 ? true : null))
    const recoveredMs = performance.now() - freedAt
    await load.stop()
    for (const statuses of await Promise.all(spent)) expect(statuses).to.include(429)
    expect(counts).to.include({ refused: 0 })
    reportFaultFigure(
      `commits failing for ${LOCKED_MS / 1000} s, under load: health failed after ${Math.round(noticedMs)} ms and ${counts.failing} of ${counts.failing} times until the end, and passed again after ${Math.round(recoveredMs)} ms`,
    )
    reportFaultFigure(
      `meanwhile, over the budget: ${counts.answered} metrics and key sets answered, 0 refused`,
    )
  })
})
