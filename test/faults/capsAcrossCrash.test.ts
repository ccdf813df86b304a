import { expect } from 'chai'
import { registerAgent, registerEndpoint } from '../builders/participants.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { type FaultScene, openFaultScene } from '../harness/faults/openFaultScene.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { findMissingRecords } from '../harness/values/findMissingRecords.ts'

const { calls, rounds } = {
  none: { calls: 200, rounds: 1 },
  short: { calls: 1_000, rounds: 2 },
  full: { calls: 1_000, rounds: 20 },
}[faultMode]
const CAP = Math.floor(calls / 5)

describe('caps under parallel calls and a crash in between', function () {
  this.timeout(faultMode === 'full' ? 1_800_000 : 240_000)
  let scene: FaultScene

  before(async () => {
    scene = await openFaultScene()
  })
  after(() => scene?.close())

  /** Sends all calls at the same time; returns the records and grants of those that got a response. */
  async function sendAll(body: object, onGrant?: (grants: number) => void) {
    const answered: string[] = []
    let grants = 0
    const send = async () => {
      const answer = await scene.verify(body).catch(() => null)
      if (answer === null) return
      expect(answer.status).to.equal(200)
      answered.push(answer.body.auditRecordId)
      if (answer.body.recommendation !== 'grant') return
      grants += 1
      onGrant?.(grants)
    }
    await Promise.all(Array.from({ length: calls }, send))
    return { answered, grants }
  }

  /** Kills the service halfway to the cap, and sends all calls again after the restart. */
  async function grantsAcrossCrash(body: object): Promise<number> {
    const before = await sendAll(body, (grants) => {
      if (grants === Math.floor(CAP / 3)) scene.service().process.kill('SIGKILL')
    })
    await scene.service().end('SIGKILL')
    await scene.restart()
    const after = await sendAll(body)
    expect(findMissingRecords(scene.stored(), [...before.answered, ...after.answered])).to.deep.equal([])
    return before.grants + after.grants
  }

  it('never grant more than the hourly count', async () => {
    let granted = 0
    for (let round = 0; round < rounds; round += 1) {
      const limits = { maxTransactionsPerHour: CAP, approvalThreshold: 100, currency: 'USD' }
      const { svcId } = await registerAgent(scene.baseUrl, { pdlss: { limits } })
      const grants = await grantsAcrossCrash({ agentId: svcId })
      expect(grants).to.be.within(1, CAP)
      granted += grants
    }
    reportFaultFigure(
      `hourly cap of ${CAP}, ${rounds} times ${calls} parallel calls, a kill and ${calls} more: ${granted} of at most ${CAP * rounds} granted, 0 above the cap`,
    )
  })

  it('never grant more than the cumulative spend', async () => {
    let granted = 0
    for (let round = 0; round < rounds; round += 1) {
      const spend = { maxCumulativeSpend: CAP / 10, cumulativePeriod: 'total', currency: 'USD' }
      const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, {
        pdlss: { limits: spend },
      })
      const grants = await grantsAcrossCrash({ counterpartyId, transactionValue: 0.1 })
      expect(grants).to.be.within(1, CAP)
      granted += grants
    }
    reportFaultFigure(
      `cumulative spend of ${CAP} × 0.1 in the same way: ${granted} of at most ${CAP * rounds} granted, 0 above the limit`,
    )
  })
})
