import { expect } from 'chai'
import { parseTransaction } from 'viem'
import type { Hex } from '../../../../server/chain/chainTypes.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { openNodeProxy, type ProxyAction } from '../../../harness/chain/openNodeProxy.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

describe('a transaction that the node rejects', () => {
  let stage: Stage
  let proxy: Awaited<ReturnType<typeof openNodeProxy>>
  let scene: Scene
  before(async () => {
    stage = await openStage()
    proxy = await openNodeProxy(stage.node.url)
  })
  beforeEach(async () => {
    scene = await openScene(stage)
    stage.setUrl(proxy.url)
    await scene.registerAgent('SVC-a', null, null)
  })
  afterEach(async () => {
    proxy.intercept()
    await stage.rpc('evm_setAutomine', [true])
    await scene.close()
  })
  after(async () => {
    proxy.close()
    await stage.close()
  })

  const rounds = async (times: number) => {
    for (let nth = 0; nth < times; nth += 1) {
      scene.clock.now += 15_000
      await relayOnce(await scene.freshRelayer(), scene.deployment)
    }
  }
  const onSending = (choose: (raw: Hex) => ProxyAction | Promise<ProxyAction>) =>
    proxy.intercept(({ method, params }) =>
      method === 'eth_sendRawTransaction' ? choose(params[0] as Hex) : 'pass',
    )
  const minted = () => scene.mintedTimes('SVC-a', [stage.chain.relayerAddress])

  for (const message of ['Gas price below configured minimum gas price', 'no, thank you'])
    it(`is replaced at the present price, in whatever words: ${message}`, async () => {
      let tip = 1_000_000_000n
      proxy.intercept(({ method, params }) => {
        if (method === 'eth_maxPriorityFeePerGas') return { result: `0x${tip.toString(16)}` }
        const isCheap =
          method === 'eth_sendRawTransaction' &&
          (parseTransaction(params[0] as Hex).maxPriorityFeePerGas ?? 0n) < 5_000_000_000n
        return isCheap ? { error: message } : 'pass'
      })
      await rounds(1)
      tip = 10_000_000_000n
      await scene.sealBatch(1, 0, 3)
      await rounds(8)
      expect([(await scene.mintIntent('SVC-a'))?.status, await minted()]).to.deep.equal(['confirmed', 1])
      expect((await scene.anchorIntent(1))?.status).to.equal('confirmed')
    })

  it('at any price leaves its nonce to an empty one, so that batches are anchored, and is made once later', async () => {
    let rejects = true
    const isMint = (raw: Hex) => parseTransaction(raw).to?.toLowerCase() === registry()
    const registry = () => scene.deployment.identityRegistry.toLowerCase()
    onSending((raw) => (rejects && isMint(raw) ? { error: 'no, thank you' } : 'pass'))
    await rounds(1)
    await scene.sealBatch(1, 0, 3)
    await rounds(12)
    expect((await scene.anchorIntent(1))?.status).to.equal('confirmed')
    expect(await minted()).to.equal(0)
    expect((await scene.agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('pending')
    rejects = false
    await rounds(30)
    expect((await scene.agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('verified')
    expect(await minted()).to.equal(1)
  })

  it('but mined all the same, while an empty one with its nonce is sent, counts as made', async () => {
    const raws: Hex[] = []
    onSending((raw) => {
      raws.push(raw)
      return { error: 'no, thank you' }
    })
    await rounds(15)
    const { sender } = (await scene.mintIntent('SVC-a')) ?? {}
    expect(stage.chain.isEmpty(raws.at(-1) ?? '0x', sender ?? '')).to.equal(true)
    await stage.rpc('eth_sendRawTransaction', [raws[0]])
    proxy.intercept()
    await rounds(15)
    expect((await scene.agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('verified')
    expect(await minted()).to.equal(1)
  })
})

describe('an estimate that fails, in whatever words', () => {
  let stage: Stage
  let scene: Scene
  before(async () => {
    stage = await openStage()
  })
  afterEach(() => scene?.close())
  after(() => stage?.close())

  const WORDS = [
    'Transaction execution fails',
    'VM execution error',
    'gas estimation limit reached',
    'OutOfGas',
    'VM Exception while processing transaction: invalid opcode',
    'cannot do that',
  ]
  for (const message of WORDS)
    it(`concerns its own order only: ${message}`, async () => {
      const proxy = await openNodeProxy(stage.node.url)
      scene = await openScene(stage)
      stage.setUrl(proxy.url)
      const named = Buffer.from('SVC-failing').toString('hex')
      proxy.intercept(({ method, params }) =>
        method === 'eth_estimateGas' && JSON.stringify(params).includes(named) ? { error: message } : 'pass',
      )
      await scene.registerAgent('SVC-failing', null, null)
      await scene.registerAgent('SVC-other', null, null)
      for (let nth = 0; nth < 4; nth += 1) {
        scene.clock.now += 15_000
        await relayOnce(await scene.freshRelayer(), scene.deployment)
      }
      stage.setUrl(stage.node.url)
      proxy.close()
      expect((await scene.agents.bySvcId('SVC-other'))?.blockchainStatus).to.equal('verified')
    })
})
