import { expect } from 'chai'
import fc from 'fast-check'
import { median } from '../../bench/load/median.ts'
import { percentile } from '../../bench/load/percentile.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { arbitraryRequest, type HostileRequest } from './arbitraryRequest.ts'
import { createTally } from './createTally.ts'
import { ENDING_OPERATIONS } from './endingOperations.ts'
import { type FuzzScene, openFuzzScene } from './openFuzzScene.ts'
import { type FuzzTarget, openTarget } from './openTarget.ts'
import { type DocumentedOperation, readOperations } from './readOperations.ts'
import { openSender } from './sendHostile.ts'

const CASES = Number(process.env.FUZZ_CASES ?? { none: 1_000, short: 20_000, full: 1_000_000 }[faultMode])
/** A seed reproduces its requests; each batch uses the next seed, so that it can be replayed alone. */
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 30)
const BATCH = 32
const BATCHES_A_ROUND = 30
/** A long run outlasts the fifteen minutes of an access token, so the credentials are replaced in time. */
const SCENE_MS = 10 * 60 * 1000
/** Requests sent one at a time, so that the cost of each can be measured. */
const ALONE = { none: 0, short: 4_000, full: 20_000 }[faultMode]
/** Slow requests are repeated this often, to exclude compilation, garbage collection and scheduled work. */
const SECOND_LOOKS = 3
const SUSPICIOUS_MS = 10
/** Memory growth allowed after the first fifth of a long run, for caches that fill. */
const GROWTH_MAX_MB = 150

describe('hostile input', () => {
  let target: FuzzTarget
  let scene: FuzzScene
  let operations: readonly DocumentedOperation[]
  const tally = createTally()

  before(async () => {
    target = await openTarget(faultMode !== 'none')
    scene = await openFuzzScene(target.baseUrl)
    operations = await readOperations(target.baseUrl)
  })
  after(() => target?.stop())

  const requestsOf = ({ credentials, known }: FuzzScene) => {
    const all = operations.filter(({ path }) => !ENDING_OPERATIONS.has(path))
    return arbitraryRequest({ operations: all, credentials, known })
  }
  const senderOf = ({ credentials }: FuzzScene, at: number) => {
    const headers = credentials.map(([, , one]) => one)
    return openSender(target.baseUrl, headers, at)
  }

  it('gets a documented response from every route, whatever is sent and by whom', async function () {
    this.timeout(0)
    const batchOf = (of: FuzzScene) => fc.array(requestsOf(of), { minLength: BATCH, maxLength: BATCH })
    let batch = batchOf(scene)
    const memory: number[] = []
    const stalls: number[] = []
    // Work from before the attack is excluded.
    await target.stallMs()
    const batches = Math.ceil(CASES / BATCH)
    let sender = senderOf(scene, 0)
    let sceneEndsAt = performance.now() + SCENE_MS
    for (let at = 0; at < batches; at += 1) {
      const seed = SEED + at
      const [sent = []] = fc.sample(batch, { numRuns: 1, seed })
      await Promise.all(sent.map((one) => tally.send(sender, one, seed)))
      if ((at + 1) % BATCHES_A_ROUND > 0) continue
      memory.push(target.residentMb() ?? 0)
      stalls.push((await target.stallMs()) ?? 0)
      sender.close()
      if (performance.now() > sceneEndsAt) {
        sceneEndsAt = performance.now() + SCENE_MS
        expect(await scene.isAlive()).to.equal(true)
        scene = await openFuzzScene(target.baseUrl)
        batch = batchOf(scene)
      }
      sender = senderOf(scene, at)
    }
    sender.close()
    const early = memory[Math.floor(memory.length / 5)] ?? 0
    const growth = Math.round((memory.at(-1) ?? 0) - early)
    const stalled =
      faultMode === 'none'
        ? ''
        : `; longest stall of the event loop ${Math.max(...stalls).toFixed(0)} ms overall, ${median(stalls).toFixed(0)} ms ` +
          `in the median round of ${BATCHES_A_ROUND * BATCH} requests`
    const grown = faultMode === 'full' ? `; memory growth after the first fifth ${growth} MB` : ''
    reportFaultFigure(
      `${batches * BATCH} requests (seed ${SEED}), ${tally.faults.size} wrong responses; by status ${tally.describeStatuses()}${grown}${stalled}`,
    )
    expect(tally.describeFaults()).to.equal('')
    expect(growth).to.be.below(GROWTH_MAX_MB)
  })

  // Measured in CPU time: how long one request can block others, whatever else the machine does.
  it('gets the same responses one at a time, which shows the CPU cost of each', async function () {
    if (ALONE === 0 || process.platform !== 'linux') this.skip()
    this.timeout(0)
    scene = await openFuzzScene(target.baseUrl)
    const requests = requestsOf(scene)
    const sender = senderOf(scene, 0)
    const costOf = async (one: HostileRequest, seed: number) => {
      const before = target.busyMs() ?? 0
      await tally.send(sender, one, seed)
      return (target.busyMs() ?? 0) - before
    }
    const costs: number[] = []
    let dearest = { ms: 0, operation: '' }
    for (const one of fc.sample(requests, { numRuns: ALONE, seed: SEED })) {
      let ms = await costOf(one, SEED)
      for (let look = 0; look < SECOND_LOOKS && ms > SUSPICIOUS_MS; look += 1)
        ms = Math.min(ms, await costOf(one, SEED))
      costs.push(ms)
      if (ms > dearest.ms) dearest = { ms, operation: `${one.operation.method} ${one.operation.path}` }
    }
    sender.close()
    reportFaultFigure(
      `${ALONE} of them one at a time, CPU time per request: median ${median(costs).toFixed(1)} ms, ` +
        `99.9th percentile ${percentile(costs, 99.9).toFixed(1)} ms, maximum ${dearest.ms.toFixed(1)} ms (${dearest.operation})`,
    )
    expect(tally.describeFaults()).to.equal('')
  })

  it('leaves the service and the data of others unchanged', async () => {
    expect(await scene.isAlive()).to.equal(true)
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined)
  })
})
