import { expect } from 'chai'
import { keccak256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../../../server/chain/chainTypes.ts'
import { type LocalChain, startLocalChain } from '../../../../server/chain/localChain.ts'
import { createRelayer } from '../../../../server/services/relayer/createRelayer.ts'
import type { RelayerPolicy } from '../../../../server/services/relayer/relayerDeps.ts'
import { openNodeProxy, type RpcRequest } from '../../../harness/chain/openNodeProxy.ts'
import { faultMode } from '../../../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import { findFreePort } from '../../../harness/runner/findFreePort.ts'
import { asOfBlock, BAD_ANSWERS, forkedBlock } from './faultyNode.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

/** One in this many steps is tried; the long form tries all. */
const EACH = faultMode === 'full' ? 1 : 11

type Proxy = Awaited<ReturnType<typeof openNodeProxy>>

describe('relayer with an unreliable node', () => {
  let stage: Stage
  let proxy: Proxy
  let scene: Scene
  let relayer: ReturnType<typeof createRelayer>
  const owner = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    stage = await openStage({ timeoutMs: 1_500 })
    proxy = await openNodeProxy(stage.node.url)
  })
  after(async () => {
    proxy.close()
    await stage.close()
  })
  afterEach(async () => {
    proxy.intercept()
    stage.setAway(false)
    await stage.rpc('evm_setAutomine', [true])
    await scene.close()
  })

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

  for (const [name, deed] of BAD_ANSWERS) {
    it(`waits for one that ${name}, and drains afterwards`, async () => {
      await open()
      await register()
      proxy.intercept(() => deed)
      await rounds(2)
      const { backlog, lastError } = await relayer.status()
      expect(backlog).to.equal(3)
      expect(lastError).to.be.a('string')
      proxy.intercept()
      await drain(8)
      await expectAllOnce()
    })
  }

  it('continues immediately after a node returned nonsense at any step', async () => {
    let moments = 0
    for (let moment = 1, isReached = true; isReached; moment += EACH) {
      if (moments > 0) await scene.close()
      // As with a real chain, the time until a resend is longer than these rounds.
      await open({ resendMs: 300_000 })
      await register()
      let asked = 0
      proxy.intercept(() => {
        asked += 1
        return asked < moment ? 'pass' : { result: { nonsense: true } }
      })
      await rounds(2)
      isReached = asked >= moment
      proxy.intercept()
      await drain(5)
      await expectAllOnce()
      moments += 1
    }
    expect(moments).to.be.at.least(3)
    reportFaultFigure(
      `a node that returns nonsense from each of ${moments} points on: everything on chain once, in the following rounds`,
    )
  })

  it('sends nothing twice if the response to a sending is lost', async () => {
    await open()
    await register()
    let lost = 0
    proxy.intercept(({ method, params }) => {
      if (method !== 'eth_sendRawTransaction') return 'pass'
      lost += 1
      void stage.rpc(method, params).catch(() => undefined)
      return { status: 504, text: 'gateway timeout' }
    })
    await rounds(4)
    expect(lost).to.be.greaterThan(2)
    proxy.intercept()
    await drain(8)
    await expectAllOnce()
  })

  it('resends a transaction that a node accepted and silently lost', async () => {
    await open()
    await register()
    proxy.intercept(({ method, params }) =>
      method === 'eth_sendRawTransaction' ? { result: keccak256(params[0] as Hex) } : 'pass',
    )
    await rounds(3)
    expect((await relayer.status()).backlog).to.equal(3)
    proxy.intercept()
    await drain(10)
    await expectAllOnce()
  })

  for (const message of ['already known', 'nonce too low', 'replacement transaction underpriced']) {
    it(`checks the outcome of a transaction that is answered with "${message}"`, async () => {
      await open()
      await register()
      proxy.intercept(({ method }) => (method === 'eth_sendRawTransaction' ? { error: message } : 'pass'))
      await rounds(3)
      expect((await scene.mintIntent('SVC-a'))?.status).to.equal('sent')
      expect((await scene.agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('pending')
      proxy.intercept()
      await drain(10)
      await expectAllOnce()
    })
  }

  it('resends a transaction that arrived before its turn', async () => {
    await open()
    await register()
    proxy.intercept(({ method }) =>
      method === 'eth_sendRawTransaction' ? { error: 'Nonce too high. Expected nonce to be 5' } : 'pass',
    )
    await rounds(2)
    expect((await scene.mintIntent('SVC-a'))?.status).to.equal('signed')
    proxy.intercept()
    await rounds(1)
    expect((await scene.mintIntent('SVC-a'))?.status).to.equal('sent')
    await rounds(4)
    await expectAllOnce()
  })

  it('verifies nothing with a receipt of a block that the chain does not have', async () => {
    await open({ confirmations: 2 })
    await register()
    await rounds(1)
    await stage.mine(4)
    proxy.intercept(({ method, params }) => {
      if (method !== 'eth_getBlockByNumber' || ['latest', '0x0'].includes(String(params[0]))) return 'pass'
      return { result: forkedBlock(String(params[0])) }
    })
    await rounds(3)
    expect((await scene.agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('pending')
    expect((await scene.anchors.byNumber(1))?.status).to.not.equal('confirmed')
    proxy.intercept()
    await stage.mine(4)
    for (let round = 0; round < 5; round += 1) {
      await rounds(3)
      await stage.mine(2)
    }
    await expectAllOnce()
  })

  it('is not misled by a node that lags behind', async () => {
    await open({ confirmations: 3 })
    const { number } = await stage.chain.readHead()
    await register()
    await rounds(2)
    await stage.mine(3)
    await rounds(1)
    const verified = await scene.agents.bySvcId('SVC-a')
    expect(verified?.blockchainStatus).to.equal('verified')
    proxy.intercept((request) => asOfBlock(stage, number, request))
    await rounds(4)
    expect(await scene.agents.bySvcId('SVC-a')).to.deep.equal(verified)
    proxy.intercept()
    for (let round = 0; round < 6; round += 1) {
      await stage.mine(2)
      await rounds(2)
    }
    await expectAllOnce()
  })

  it('keeps a consent whose turn one of several nodes behind a URL has not seen', async () => {
    await open({ confirmations: 3 })
    const { number } = await stage.chain.readHead()
    for (const [nonce, svcId] of ['SVC-a', 'SVC-b'].entries())
      await scene.registerAgent(svcId, owner.address, await scene.consentOf(owner, svcId, BigInt(nonce)))
    const simulating = ['eth_call', 'eth_estimateGas']
    proxy.intercept((request) =>
      simulating.includes(request.method) ? asOfBlock(stage, number, request) : 'pass',
    )
    await rounds(3)
    proxy.intercept()
    for (let round = 0; round < 6; round += 1) {
      await stage.mine(2)
      await rounds(2)
    }
    expect(await scene.mintedTimes('SVC-b', [owner.address])).to.equal(1)
    expect(await scene.mintedTimes('SVC-b', [stage.chain.relayerAddress])).to.equal(0)
  })

  it('considers nothing lost because one of several nodes behind a URL lags', async () => {
    await open({ confirmations: 3, resendMs: 300_000 })
    const { number } = await stage.chain.readHead()
    await register()
    await rounds(1)
    await stage.mine(5)
    const behind = ['eth_getTransactionReceipt', 'eth_getLogs', 'eth_getBlockByNumber']
    const ofOneBehind = (request: RpcRequest) =>
      behind.includes(request.method) && !['latest', '0x0'].includes(String(request.params[0]))
        ? asOfBlock(stage, number, request)
        : 'pass'
    proxy.intercept(ofOneBehind)
    await rounds(3)
    proxy.intercept()
    await rounds(6)
    for (let round = 0; round < 6; round += 1) {
      await stage.mine(2)
      await rounds(2)
    }
    await expectAllOnce()
    const verified = await scene.agents.bySvcId('SVC-a')
    proxy.intercept(ofOneBehind)
    await rounds(3)
    expect(await scene.agents.bySvcId('SVC-a')).to.deep.equal(verified)
  })

  describe('of another chain', () => {
    let other: LocalChain
    before(async () => {
      other = await startLocalChain(await findFreePort())
    })
    after(() => other.stop())

    it('reverts nothing, sends nothing, reports it, and continues with the right one', async () => {
      await open({ confirmations: 2 })
      await register()
      await rounds(1)
      const sent = await scene.db.query('relayer_transactions').count({ count: '*' }).first()
      const minedBefore = (await scene.mintIntent('SVC-a'))?.status
      stage.setUrl(other.url)
      await rounds(4)
      expect((await relayer.status()).lastError).to.match(/another|which is not chain/)
      expect((await scene.mintIntent('SVC-a'))?.status).to.equal(minedBefore)
      expect(await scene.db.query('relayer_transactions').count({ count: '*' }).first()).to.deep.equal(sent)
      stage.setUrl(proxy.url)
      for (let round = 0; round < 6; round += 1) {
        await stage.mine(2)
        await rounds(2)
      }
      await expectAllOnce()
    })
  })

  it('waits for the end of a gas spike after the sending, within the cap', async () => {
    const cap = 20n * 10n ** 9n
    await open({ maxFeePerGas: cap })
    await stage.rpc('evm_setAutomine', [false])
    await register()
    await rounds(1)
    await stage.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x174876e800'])
    await stage.mine(1)
    await rounds(6)
    expect((await scene.agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('pending')
    const fees = await scene.db.query('relayer_transactions').select('max_fee_per_gas')
    expect(fees.every((row) => BigInt(row.max_fee_per_gas) <= cap)).to.equal(true)
    await stage.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x3b9aca00'])
    await stage.mine(1)
    for (let round = 0; round < 8; round += 1) {
      await rounds(2)
      await stage.mine(1)
    }
    await expectAllOnce()
  })
})
