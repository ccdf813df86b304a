import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { type FaultScene, openFaultScene } from '../harness/faults/openFaultScene.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { api } from '../harness/service/api.ts'
import { countDecisions } from '../harness/service/countDecisions.ts'
import { findMissingRecords } from '../harness/values/findMissingRecords.ts'

const AT_ONCE = 32
/** Skipped by default, because its measurements mean nothing on a busy machine; `loadGate.test.ts` always runs. */
const SECONDS = { none: 0, short: 15, full: 600 }[faultMode]
/** Half load runs before and after, so that slowing down under any load is not attributed to the overload. */
const SIDE_SECONDS = Math.max(15, SECONDS / 5)

type Phase = { answered: string[]; refused: number; withoutRetryAfter: number; seconds: number }

describe('twice the load that may run at a time', function () {
  this.timeout((SECONDS + 2 * SIDE_SECONDS + 240) * 1000)
  let scene: FaultScene

  before(async function () {
    if (faultMode === 'none') this.skip()
    scene = await openFaultScene({ settings: { MAX_REQUESTS_AT_ONCE: String(AT_ONCE) } })
  })
  after(() => scene?.close())

  /** Runs clients that ask without a pause and obey `Retry-After`. */
  async function load(connections: number, seconds: number): Promise<Phase> {
    const phase: Phase = { answered: [], refused: 0, withoutRetryAfter: 0, seconds }
    const begun = performance.now()
    const isOver = () => performance.now() - begun > seconds * 1000
    const client = async () => {
      while (!isOver()) {
        const { status, headers, body } = await scene.verify()
        if (status === 200) phase.answered.push(body.auditRecordId)
        else {
          expect(status).to.equal(503)
          phase.refused += 1
          phase.withoutRetryAfter += Number(!headers.has('retry-after'))
          await pause(Number(headers.get('retry-after')) * 1000)
        }
      }
    }
    await Promise.all(Array.from({ length: connections }, client))
    return phase
  }

  it('has its excess refused with the time to wait, and the rest served and recorded', async () => {
    const before = await load(AT_ONCE, SIDE_SECONDS)
    const over = await load(AT_ONCE * 2, SECONDS)
    const health = await api(scene.baseUrl, 'GET', '/api/health')
    const after = await load(AT_ONCE, SIDE_SECONDS)
    const rate = ({ answered, seconds }: Phase) => answered.length / seconds
    expect([before.refused, over.withoutRetryAfter, after.refused]).to.deep.equal([0, 0, 0])
    expect(over.refused).to.be.greaterThan(0)
    expect(health.status).to.equal(200)
    const answered = [before, over, after].flatMap((phase) => phase.answered)
    const stored = scene.stored()
    expect(findMissingRecords(stored, answered)).to.deep.equal([])
    expect(countDecisions(stored)).to.equal(answered.length)
    const half = (rate(before) + rate(after)) / 2
    reportFaultFigure(
      `${SECONDS} s: ${over.answered.length} decisions, ${over.refused} requests refused, all with Retry-After; goodput ` +
        `${(rate(over) / half).toFixed(2)} × that at half the load (${(rate(over) / rate(before)).toFixed(2)} × before, ` +
        `${(rate(over) / rate(after)).toFixed(2)} × after); 0 lost, 0 recorded without a response`,
    )
  })
})
