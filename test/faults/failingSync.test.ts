import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { type FaultScene, openFaultScene } from '../harness/faults/openFaultScene.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { findMissingRecords } from '../harness/values/findMissingRecords.ts'

const TRACER = 'strace'
const CONNECTIONS = 16
/** Which sync fails first, counted from when the tracer attaches; every later one fails too. */
const FAILING = { none: [1], short: [1, 40], full: [1, 2, 7, 40, 200] }[faultMode]

describe('a sync that fails', function () {
  this.timeout(300_000)
  let scene: FaultScene

  before(async function () {
    if (faultMode === 'none' || spawnSync(TRACER, ['--version']).status !== 0) this.skip()
    scene = await openFaultScene()
  })
  after(() => scene?.close())

  for (const nth of FAILING) {
    it(`stops all decisions from sync ${nth} on, until the disk is checked and the service restarted`, async () => {
      const load = scene.load(CONNECTIONS)
      await waitUntil(async () => (load.answered.length > 100 ? true : null))
      const inject = `inject=fsync,fdatasync:error=EIO:when=${nth}+`
      const pid = String(scene.pid())
      const tracer = spawn(TRACER, [
        '-qq',
        // All threads: the syncs of decisions have one of their own.
        '-f',
        '-e',
        'trace=fsync,fdatasync',
        '-e',
        inject,
        '-o',
        '/dev/null',
        '-p',
        pid,
      ])
      const health = () => api(scene.baseUrl, 'GET', '/api/health')
      const failed = await waitUntil(async () => {
        const answer = await health()
        return answer.status === 503 ? answer.body : null
      })
      expect(failed.status).to.equal('fail')
      expect(failed.checks.database.status).to.equal('fail')
      const before = load.answered.length
      const refusals = load.statuses.get(503) ?? 0
      await waitUntil(async () => ((load.statuses.get(503) ?? 0) > refusals + 200 ? true : null))
      await load.stop()
      expect(load.answered.length).to.equal(before)
      const refused = await scene.verify()
      expect(refused.status).to.equal(503)
      expect(refused.headers.get('retry-after')).to.match(/^\d+$/)
      const gone = once(tracer, 'exit')
      tracer.kill('SIGTERM')
      await gone
      // The disk works again, but what it stored is still unknown.
      expect((await scene.verify()).status).to.equal(503)
      await scene.service().end('SIGTERM')
      expect(findMissingRecords(scene.stored(), load.answered)).to.deep.equal([])
      await scene.restart()
      expect((await scene.verify()).status).to.equal(200)
      reportFaultFigure(
        `EIO from sync ${nth} on: 0 decisions returned after it, health check fails, 0 of ${load.answered.length} decisions lost`,
      )
    })
  }
})
