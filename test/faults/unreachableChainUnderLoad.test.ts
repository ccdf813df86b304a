import { expect } from 'chai'
import { median } from '../../bench/load/median.ts'
import type { ProxyAction } from '../harness/chain/openNodeProxy.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { type FaultScene, openFaultScene } from '../harness/faults/openFaultScene.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'

const CONNECTIONS = 64
/** Skipped by default, because its measurements mean nothing beside other tests; `unreachableChain.test.ts` always runs. */
const ROUNDS = { none: 0, short: 3, full: 10 }[faultMode]
const SECONDS = { none: 0, short: 4, full: 20 }[faultMode]
const AWAY: [string, ProxyAction][] = [
  ['hangs', 'hang'],
  ['fails', { status: 502, text: 'bad gateway' }],
]

describe('a chain that becomes unreachable under full load', function () {
  this.timeout((ROUNDS * 3 * SECONDS + 240) * 1000)
  let scene: FaultScene
  const answered: string[] = []

  before(async function () {
    if (faultMode === 'none') this.skip()
    scene = await openFaultScene()
    await medianMs()
  })
  after(() => scene?.close())

  /** Measures the median response time of clients that ask without a pause. */
  async function medianMs(): Promise<number> {
    const times: number[] = []
    const begun = performance.now()
    const client = async () => {
      while (performance.now() - begun < SECONDS * 1000) {
        const startedAt = performance.now()
        const { status, body } = await scene.verify()
        times.push(performance.now() - startedAt)
        expect(status).to.equal(200)
        answered.push(body.auditRecordId)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, client))
    return median(times)
  }

  const isProven = async (recordId: string | undefined) =>
    (await api(scene.baseUrl, 'GET', `/api/audit/records/${recordId}/proof`)).status === 200 ? true : null

  it('does not slow down decisions, and anchors them all once it is back', async () => {
    const ratios: Record<string, number[]> = {}
    for (let round = 0; round < ROUNDS; round += 1) {
      const there = await medianMs()
      for (const [name, fault] of AWAY) {
        scene.intercept(() => fault)
        const away = await medianMs()
        scene.intercept()
        ratios[name] = [...(ratios[name] ?? []), away / there]
      }
    }
    await waitUntil(() => isProven(answered.at(-1)))
    for (const nth of Array.from({ length: 500 }, (_, i) => Math.floor((i * answered.length) / 500)))
      expect(await isProven(answered[nth]), `record ${nth}`).to.equal(true)
    const said = Object.entries(ratios).map(([name, of]) => `${median(of).toFixed(2)} × while it ${name}`)
    reportFaultFigure(
      `${answered.length} decisions over ${CONNECTIONS} connections; median response time, relative to a reachable chain: ` +
        `${said.join(', ')}; the newest and 500 others proven afterwards`,
    )
  })
})
