import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { type FaultScene, openFaultScene } from '../harness/faults/openFaultScene.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { findMissingRecords } from '../harness/values/findMissingRecords.ts'

const CONNECTIONS = 64
const KILLS = { none: 2, short: 10, full: 200 }[faultMode]
/** Minimum responses per round; varied so that the kill comes at a different point each time. */
const ROUND = 150

describe('kill -9 under load', function () {
  this.timeout(faultMode === 'full' ? 3_600_000 : 240_000)
  let scene: FaultScene
  const answered: string[] = []

  before(async () => {
    scene = await openFaultScene()
  })
  after(() => scene?.close())

  it(`loses no returned decision and stores none twice in ${KILLS} kills`, async () => {
    const restarts: number[] = []
    for (let round = 1; round <= KILLS; round += 1) {
      const load = scene.load(CONNECTIONS, { untilGone: true })
      const target = ROUND + ((round * 37) % ROUND)
      await waitUntil(async () => (load.answered.length >= target ? true : null))
      const gone = scene.service().end('SIGKILL')
      await gone
      await load.stop()
      expect([...load.statuses.keys()]).to.deep.equal([200])
      answered.push(...load.answered)
      expect(findMissingRecords(scene.stored(), answered)).to.deep.equal([])
      await scene.restart()
      const begun = performance.now()
      expect((await scene.verify()).status).to.equal(200)
      restarts.push(performance.now() - begun)
    }
    const slowest = Math.round(Math.max(...restarts))
    reportFaultFigure(
      `${KILLS} kills, ${answered.length} responses: 0 lost, 0 stored twice, integrity ok; first response at most ${slowest} ms after readiness`,
    )
  })

  it('continues the log: a record from before and one from after the kills are both proven on chain', async () => {
    const after = await scene.verify()
    for (const recordId of [answered[0], after.body.auditRecordId]) {
      const proof = await waitUntil(async () => {
        const answer = await api(scene.baseUrl, 'GET', `/api/audit/records/${recordId}/proof`)
        return answer.status === 200 ? answer.body : null
      })
      expect(proof.leafHash).to.match(/^0x[0-9a-f]{64}$/)
    }
  })

  it('exits cleanly on SIGTERM', async () => {
    expect(await scene.service().end('SIGTERM')).to.equal(0)
  })
})
