import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createRelayer } from '../../../../server/services/relayer/createRelayer.ts'
import { openNodeProxy } from '../../../harness/chain/openNodeProxy.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

describe('relayer with a node that limits block ranges', () => {
  let stage: Stage
  let scene: Scene
  let proxy: Awaited<ReturnType<typeof openNodeProxy>>
  let relayer: ReturnType<typeof createRelayer>
  /** The number of blocks that the node accepts in one query. */
  let rangeMax = 10
  const owner = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    stage = await openStage()
    proxy = await openNodeProxy(stage.node.url)
    scene = await openScene(stage)
    await stage.mine(20_000)
    proxy.intercept(({ method, params }) => {
      if (method !== 'eth_getLogs') return 'pass'
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
      return Number(toBlock) - Number(fromBlock) < rangeMax ? 'pass' : { error: 'block range is too wide' }
    })
    stage.setUrl(proxy.url)
    relayer = createRelayer({
      relay: await scene.freshRelayer(),
      lease: scene.leaseOf('test'),
      ensure: async () => scene.deployment,
      lowBalance: 0n,
    })
    await relayer.open()
  })
  after(async () => {
    proxy.close()
    await scene.close()
    await stage.close()
  })

  const rounds = async (times: number) => {
    for (let round = 0; round < times; round += 1) {
      scene.clock.now += 16_000
      await relayer.round()
    }
  }

  it('anchors and mints while one agent needs a longer search than the node allows, and reports it', async () => {
    const expired = await scene.consentOf(owner, 'SVC-a', 0n, 1n)
    await scene.registerAgent('SVC-a', owner.address, expired)
    await scene.registerAgent('SVC-b', null, null)
    await scene.sealBatch(1, 0, 3)
    await rounds(6)
    expect((await scene.agents.bySvcId('SVC-b'))?.blockchainStatus).to.equal('verified')
    expect((await scene.anchors.byNumber(1))?.status).to.equal('confirmed')
    const { reachable, backlog, lastError } = await relayer.status()
    expect({ reachable, backlog }).to.deep.equal({ reachable: true, backlog: 1 })
    expect(lastError).to.match(/^the node returns events of \d+ blocks at a time, too few to search/)
  })

  it('also mints that one once the node allows it', async () => {
    rangeMax = 1_000
    await rounds(8)
    expect((await scene.agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('verified')
    expect(await scene.mintedTimes('SVC-a', [stage.chain.relayerAddress])).to.equal(1)
    expect(await relayer.status()).to.deep.include({ backlog: 0, lastError: null })
  })
})
