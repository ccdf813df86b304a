import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { RelayerDeps } from '../../../../server/services/relayer/relayerDeps.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { faultMode } from '../../../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

/** One in this many steps is tried; the long form tries all. */
const EACH = faultMode === 'full' ? 1 : 7
/** Total number of deaths: besides one at each step, the relayer started after it dies as well. */
const DEATHS = { none: 0, short: 20, full: 500 }[faultMode]
/** Distributes the second deaths over the steps of the first. */
const STRIDE = 29

class Killed extends Error {}

describe('relayer killed at any moment', function () {
  this.timeout(1_800_000)
  let stage: Stage
  const owner = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())

  /** Work of every kind: a mint with consent, one with a transfer, and two batches. */
  async function openWork(): Promise<Scene> {
    const scene = await openScene(stage)
    await scene.registerAgent('SVC-own', owner.address, await scene.consentOf(owner, 'SVC-own', 0n))
    await scene.registerAgent('SVC-given', owner.address, null)
    await scene.sealBatch(1, 0, 3)
    await scene.sealBatch(2, 3, 5)
    return scene
  }

  /** Runs rounds until everything is settled, or until death. @returns Whether everything was settled. */
  async function work(scene: Scene, relayer: RelayerDeps): Promise<boolean> {
    try {
      for (let round = 0; round < 30; round += 1) {
        await relayOnce(relayer, scene.deployment)
        if ((await scene.stores.outbox.backlog()) === 0) return true
        scene.clock.now += 1_000
      }
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      return false
    }
    throw new Error(`the relayer does not come to rest: ${await scene.stores.outbox.oldestError()}`)
  }

  async function expectAllOnce(scene: Scene, at: string): Promise<void> {
    for (const svcId of ['SVC-own', 'SVC-given']) {
      const agent = await scene.agents.bySvcId(svcId)
      expect(agent?.blockchainStatus, at).to.equal('verified')
      expect(await scene.mintedTimes(svcId, [owner.address, stage.chain.relayerAddress]), at).to.equal(1)
      const { identityRegistry } = scene.deployment
      const holder = await stage.chain.identity.readOwner(identityRegistry, BigInt(agent?.chainAgentId ?? 0))
      expect(holder, at).to.equal(owner.address)
      expect(scene.notified, at).to.include(svcId)
    }
    const head = await stage.chain.auditLog.readHead(scene.deployment.auditLog, scene.deployment.logId)
    expect(head, at).to.include({ batch: 2, size: 5 })
    expect(await scene.anchors.lastConfirmed(), at).to.equal(2)
    const nonces = await scene.db.query('relayer_transactions').distinct('nonce')
    expect(nonces.length, at).to.equal(5)
  }

  /** Does the same work with relayers that die at these steps, one after another. @returns How many of them died. */
  async function dieAt(moments: readonly number[]): Promise<number> {
    const scene = await openWork()
    try {
      let deaths = 0
      for (const moment of moments) {
        if (await work(scene, mortal(await scene.freshRelayer(), moment))) break
        deaths += 1
      }
      if (deaths === moments.length) expect(await work(scene, await scene.freshRelayer())).to.equal(true)
      await expectAllOnce(scene, `killed at moments ${moments}`)
      return deaths
    } finally {
      await scene.close()
    }
  }

  it('omits nothing and repeats nothing', async () => {
    let [scenes, deaths, last] = [0, 0, 0]
    for (let moment = 1; (await dieAt([moment])) > 0; moment += EACH) {
      last = moment
      scenes += 1
      deaths += 1
    }
    expect(deaths).to.be.at.least(8)
    for (let nth = 0; deaths < DEATHS; nth += 1) {
      const first = 1 + (nth % last)
      deaths += await dieAt([first, 1 + ((first * STRIDE + Math.floor(nth / last)) % last)])
      scenes += 1
    }
    reportFaultFigure(
      `killed ${deaths} times in ${scenes} scenarios: each time, 4 intents on chain exactly once with 5 nonces`,
    )
  })
})

/**
 * A relayer that dies at its n-th step: just before or after a commit, a signature, a sending or a notification. After that
 * it does nothing.
 */
function mortal(relayer: RelayerDeps, dies: number): RelayerDeps {
  let moment = 0
  const live = () => {
    moment += 1
    if (moment >= dies) throw new Killed()
  }
  const between = async <T>(act: () => Promise<T>): Promise<T> => {
    live()
    const result = await act()
    live()
    return result
  }
  const { chain, handlers } = relayer
  const guarded = Object.entries(handlers).map(([kind, handler]) => [
    kind,
    handler.notifyConfirmed === undefined
      ? handler
      : {
          ...handler,
          notifyConfirmed: (intent: Parameters<typeof handler.notifyConfirmed>[0]) =>
            between(async () => handler.notifyConfirmed?.(intent)),
        },
  ])
  return {
    ...relayer,
    whileLeaseHeld: (write) => between(() => relayer.whileLeaseHeld(write)),
    chain: {
      ...chain,
      sign: (...given) => between(() => chain.sign(...given)),
      send: (raw) => between(() => chain.send(raw)),
    },
    handlers: Object.fromEntries(guarded),
  }
}
