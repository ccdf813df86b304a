import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { type FaultScene, openFaultScene } from '../harness/faults/openFaultScene.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { findMissingRecords } from '../harness/values/findMissingRecords.ts'

const CONNECTIONS = 16
const SECONDS = { none: 0, short: 60, full: 3_600 }[faultMode]
const SAMPLES = 60
const MEBIBYTE = 1024 * 1024
/** Growth that filling caches and delayed garbage collection may cause in the second half. */
const SLACK_MEBIBYTES = 64

/** Interval of the client that measures the response time. */
const PROBE_MS = 100

/**
 * `ownMebibytes` is resident memory without file pages, which the kernel drops and reads again as it likes;
 * `keptMebibytes` also excludes V8's young generation, which V8 sizes from 32 to 128 MiB with the load. `medianMs` is the
 * median response time since the previous sample.
 */
type Sample = {
  mebibytes: number
  ownMebibytes: number
  keptMebibytes: number
  descriptors: number
  answers: number
  medianMs: number
}

describe('sustained load', function () {
  this.timeout((SECONDS * 1.5 + 300) * 1000)
  let scene: FaultScene

  before(async function () {
    if (faultMode === 'none' || process.platform !== 'linux') this.skip()
    scene = await openFaultScene()
  })
  after(() => scene?.close())

  async function sample(answers: number, times: readonly number[]): Promise<Sample> {
    const status = readFileSync(`/proc/${scene.pid()}/status`, 'utf8')
    const mebibytes = (name: string) =>
      (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * 1024) / MEBIBYTE
    const ownMebibytes = mebibytes('RssAnon') + mebibytes('RssShmem')
    const metrics = await (await fetch(`${scene.baseUrl}/metrics`)).text()
    const young = Number(/^nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)/m.exec(metrics)?.[1])
    return {
      mebibytes: mebibytes('VmRSS'),
      ownMebibytes,
      keptMebibytes: ownMebibytes - young / MEBIBYTE,
      descriptors: readdirSync(`/proc/${scene.pid()}/fd`).length,
      answers,
      medianMs: times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN,
    }
  }

  /** Measures the response times of one more client for the given milliseconds. */
  async function probe(forMs: number): Promise<number[]> {
    const times: number[] = []
    const end = performance.now() + forMs
    while (performance.now() < end) {
      const begun = performance.now()
      expect((await scene.verify()).status).to.equal(200)
      times.push(performance.now() - begun)
      await pause(PROBE_MS)
    }
    return times
  }

  it('leaks neither memory nor descriptors', async () => {
    const load = scene.load(CONNECTIONS)
    const samples: Sample[] = []
    for (let nth = 0; nth < SAMPLES; nth += 1) {
      const times = await probe((SECONDS * 1000) / SAMPLES)
      samples.push(await sample(load.answered.length, times))
    }
    await load.stop()
    const third = samples.slice(SAMPLES / 2, (SAMPLES * 3) / 4)
    const last = samples.slice((SAMPLES * 3) / 4)
    const grown = mean(last, 'keptMebibytes') - mean(third, 'keptMebibytes')
    const opened = Math.round(mean(last, 'descriptors') - mean(third, 'descriptors'))
    const rate = (part: Sample[]) =>
      ((part.at(-1)?.answers ?? 0) - (part[0]?.answers ?? 0)) / (((part.length - 1) * SECONDS) / SAMPLES)
    const both = (part: Sample[]) =>
      `${Math.round(mean(part, 'ownMebibytes'))} MiB (${Math.round(mean(part, 'mebibytes'))} with file pages)`
    reportFaultFigure(
      `${SECONDS} s, ${load.answered.length} decisions: ${both(third)} in the third quarter and ${both(last)} in the last, ` +
        `${opened} more descriptors, ` +
        `${Math.round(rate(third))} and ${Math.round(rate(last))} decisions per second, ` +
        `median latency ${mean(third, 'medianMs').toFixed(1)} and ${mean(last, 'medianMs').toFixed(1)} ms`,
    )
    expect([...load.statuses.keys()]).to.deep.equal([200])
    expect(grown).to.be.below(SLACK_MEBIBYTES)
    expect(opened).to.be.at.most(4)
    expect(scene.iterateStored((records) => findMissingRecords(records, load.answered))).to.deep.equal([])
  })
})

function mean(samples: readonly Sample[], of: keyof Omit<Sample, 'answers'>): number {
  return samples.reduce((sum, one) => sum + one[of], 0) / samples.length
}
