import { expect } from 'chai'
import type { ForkWatch } from '../../../../server/services/relayer/preparePoll.ts'
import type { RelayerDeps } from '../../../../server/services/relayer/relayerDeps.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { openNodeProxy } from '../../../harness/chain/openNodeProxy.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

describe('startRound', () => {
  let stage: Stage
  let scene: Scene
  let proxy: Awaited<ReturnType<typeof openNodeProxy>>
  let deps: RelayerDeps
  let watch: ForkWatch
  before(async () => {
    stage = await openStage()
    proxy = await openNodeProxy(stage.node.url)
  })
  beforeEach(async () => {
    scene = await openScene(stage)
    stage.setUrl(proxy.url)
    deps = await scene.freshRelayer()
    watch = { last: null }
  })
  afterEach(async () => {
    proxy.intercept()
    stage.setAway(false)
    await stage.rpc('evm_setAutomine', [true])
    await scene.close()
  })
  after(async () => {
    proxy.close()
    await stage.close()
  })

  const relay = () => relayOnce(deps, scene.deployment, watch)
  const countRequests = async () => {
    const before = proxy.requests()
    await relay()
    return proxy.requests() - before
  }
  /** Sends transactions that no block contains yet. */
  const send = async (count: number) => {
    await stage.rpc('evm_setAutomine', [false])
    for (let index = 0; index < count; index += 1) await scene.registerAgent(`SVC-${index}`, null, null)
    await relay()
    expect(await scene.stores.outbox.open(['sent'], 100)).to.have.length(count)
  }

  for (const count of [1, 12]) {
    it(`asks a node once about ${count} pending transactions, while they wait, are mined and become final`, async () => {
      await send(count)
      expect(await countRequests()).to.equal(1)
      await stage.mine(1)
      expect(await countRequests()).to.equal(1)
      expect(await scene.stores.outbox.open(['mined'], 100)).to.have.length(count)
      await stage.mine(1)
      expect(await countRequests()).to.equal(1)
      expect(await scene.stores.outbox.backlog()).to.equal(0)
    })
  }

  it('asks again for a receipt that is missing although its nonce is used, before it draws a conclusion', async () => {
    await send(2)
    await stage.mine(1)
    // As if the receipts had been read before the block was mined, and the nonce after it.
    let asked = 0
    proxy.intercept(({ method }) => {
      if (method !== 'eth_getTransactionReceipt') return 'pass'
      asked += 1
      return asked <= 2 ? { result: null } : 'pass'
    })
    await relay()
    expect(asked).to.equal(4)
    expect(await scene.stores.outbox.open(['mined'], 100)).to.have.length(2)
  })

  it('finds mined transactions through a node without batches', async () => {
    await send(3)
    await stage.mine(1)
    proxy.refuseBatches()
    await relay()
    expect(await scene.stores.outbox.open(['mined'], 100)).to.have.length(3)
  })
})
