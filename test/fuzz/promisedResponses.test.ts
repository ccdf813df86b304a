import { expect } from 'chai'
import fc from 'fast-check'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { arbitraryPlausibleRequest } from './arbitraryPlausibleRequest.ts'
import { createTally } from './createTally.ts'
import { ENDING_OPERATIONS } from './endingOperations.ts'
import { openFuzzScene } from './openFuzzScene.ts'
import { type FuzzTarget, openTarget } from './openTarget.ts'
import { type DocumentedOperation, readOperations } from './readOperations.ts'
import { openSender } from './sendHostile.ts'

const CASES = Number(process.env.FUZZ_CASES ?? { none: 500, short: 12_000, full: 200_000 }[faultMode])
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 30)
const BATCH = 25
/** Requests use things up, so that after so many the next ones find a new scene. */
const SCENE = 1_500
/** Operations, of all, that have succeeded at the end of a longer run. */
const SUCCEEDED_MIN = 0.5

describe('promised responses', () => {
  let target: FuzzTarget
  let operations: readonly DocumentedOperation[]

  before(async () => {
    target = await openTarget(false)
    operations = (await readOperations(target.baseUrl)).filter(({ path }) => !ENDING_OPERATIONS.has(path))
  })
  after(() => target?.stop())

  it('have the schema and the headers that the document promises for their status', async function () {
    this.timeout(0)
    const tally = createTally()
    let sent = 0
    while (sent < CASES) {
      const { credentials, known } = await openFuzzScene(target.baseUrl)
      const requests = arbitraryPlausibleRequest({ operations, credentials, known })
      const headers = credentials.map(([, , one]) => one)
      const sender = openSender(target.baseUrl, headers, sent / SCENE)
      for (const end = Math.min(sent + SCENE, CASES); sent < end; sent += BATCH) {
        const batch = fc.sample(requests, { numRuns: BATCH, seed: SEED + sent })
        await Promise.all(batch.map((one) => tally.send(sender, one, SEED + sent)))
      }
      sender.close()
    }
    reportFaultFigure(
      `${sent} responses (seed ${SEED}) compared with the OpenAPI document, ${tally.faults.size} wrong; ` +
        `${tally.succeeded.size} of ${operations.length} operations succeeded; by status ${tally.describeStatuses()}`,
    )
    expect(tally.describeFaults()).to.equal('')
    if (faultMode !== 'none') {
      expect(tally.succeeded.size).to.be.above(operations.length * SUCCEEDED_MIN)
    }
  })
})
