import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { type FaultScene, openFaultScene } from '../harness/faults/openFaultScene.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { findMissingRecords } from '../harness/values/findMissingRecords.ts'

const MOUNTS = 'mount'
const UNMOUNTS = 'umount'
const CONNECTIONS = 16
const ROUNDS = { none: 0, short: 2, full: 10 }[faultMode]
/** Free space when the load begins; it differs per round so that a different write fails. */
const LEFT_BYTES = [1_500_000, 400_000, 150_000, 60_000, 30_000]

describe('a full disk', function () {
  this.timeout(300_000)
  const disk = createTemporaryFolder()
  let isMounted = false
  let scene: FaultScene

  before(async function () {
    if (faultMode === 'none' || process.getuid?.() !== 0) this.skip()
    isMounted = spawnSync(MOUNTS, ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk.path]).status === 0
    if (!isMounted) this.skip()
    scene = await openFaultScene({ dataDir: disk.path })
  })
  after(async () => {
    await scene?.close()
    if (isMounted) spawnSync(UNMOUNTS, [disk.path])
    disk.remove()
  })

  it('never causes an unrecorded grant, and needs no restart once there is space', async () => {
    const answered: string[] = []
    let refused = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const filler = join(disk.path, 'filler')
      const { bavail, bsize } = statfsSync(disk.path)
      const left = LEFT_BYTES[round % LEFT_BYTES.length] ?? 0
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)))
      } catch (error) {
        // The service used some of the space meanwhile: the disk is full, as intended.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
      const load = scene.load(CONNECTIONS)
      await waitUntil(async () => ((load.statuses.get(503) ?? 0) > 300 ? true : null))
      const failing = await api(scene.baseUrl, 'GET', '/api/health')
      expect([failing.status, failing.body.checks.database.status]).to.deep.equal([503, 'fail'])
      rmSync(filler)
      await waitUntil(async () =>
        (await api(scene.baseUrl, 'GET', '/api/health')).status === 200 ? true : null,
      )
      const before = load.answered.length
      await waitUntil(async () => (load.answered.length > before + 200 ? true : null))
      await load.stop()
      expect([...load.statuses.keys()]).to.have.members([200, 503])
      expect(load.broken).to.equal(0)
      answered.push(...load.answered)
      refused += load.statuses.get(503) ?? 0
      expect(findMissingRecords(scene.stored(), answered)).to.deep.equal([])
    }
    reportFaultFigure(
      `filled ${ROUNDS} times: ${answered.length} decisions, 0 of them not recorded, ${refused} requests refused with 503; no restart`,
    )
  })
})
