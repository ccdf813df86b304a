import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createRelayer } from '../../../../server/services/relayer/createRelayer.ts'
import type { RelayerPolicy } from '../../../../server/services/relayer/relayerDeps.ts'
import { openNodeProxy } from '../../../harness/chain/openNodeProxy.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage } from './openStage.ts'

export type FaultyNode = Awaited<ReturnType<typeof openFaultyNode>>

/** Opens a stage whose node is behind a proxy that a test lets fail, and relayers with something to do there. */
export async function openFaultyNode() {
  const owner = privateKeyToAccount(generatePrivateKey())
  const stage = await openStage({ timeoutMs: 1_500 })
  const proxy = await openNodeProxy(stage.node.url)
  let scene: Scene
  let relayer: ReturnType<typeof createRelayer>

  const open = async (changes: Partial<RelayerPolicy> = {}) => {
    scene = await openScene(stage, changes)
    stage.setUrl(proxy.url)
    relayer = createRelayer({
      relay: await scene.freshRelayer(),
      lease: scene.leaseOf('test'),
      ensure: async () => scene.deployment,
      lowBalance: 0n,
    })
    await relayer.open()
  }
  const rounds = async (times: number) => {
    for (let round = 0; round < times; round += 1) {
      scene.clock.now += 16_000
      await relayer.round()
    }
  }
  /** Runs rounds until nothing is left to do, plus one, at most `times`: anything missing or duplicated then stays so. */
  const drain = async (times: number) => {
    let isOver = false
    for (let round = 0; round < times && !isOver; round += 1) {
      isOver = (await relayer.status()).backlog === 0
      await rounds(1)
    }
  }
  const register = async () => {
    await scene.registerAgent('SVC-a', owner.address, await scene.consentOf(owner, 'SVC-a', 0n))
    await scene.registerAgent('SVC-b', owner.address, null)
    await scene.sealBatch(1, 0, 3)
  }
  const expectAllOnce = async () => {
    expect(await relayer.status()).to.deep.include({ reachable: true, backlog: 0, lastError: null })
    for (const svcId of ['SVC-a', 'SVC-b']) {
      expect((await scene.agents.bySvcId(svcId))?.blockchainStatus).to.equal('verified')
      expect(await scene.mintedTimes(svcId, [owner.address, stage.chain.relayerAddress])).to.equal(1)
    }
    expect((await scene.anchors.byNumber(1))?.status).to.equal('confirmed')
  }

  return {
    ...{ owner, stage, proxy, open, rounds, drain, register, expectAllOnce },
    scene: () => scene,
    status: () => relayer.status(),
    /** Repairs the node and closes the scene. */
    async reset() {
      proxy.intercept()
      stage.setAway(false)
      await stage.rpc('evm_setAutomine', [true])
      await scene.close()
    },
    async close() {
      proxy.close()
      await stage.close()
    },
  }
}
