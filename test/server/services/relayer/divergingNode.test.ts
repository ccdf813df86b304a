import { expect } from 'chai'
import { type LocalChain, startLocalChain } from '../../../../server/chain/localChain.ts'
import type { RpcRequest } from '../../../harness/chain/openNodeProxy.ts'
import { findFreePort } from '../../../harness/runner/findFreePort.ts'
import { asOfBlock, forkedBlock } from './faultyNode.ts'
import { type FaultyNode, openFaultyNode } from './openFaultyNode.ts'

describe('relayer with a node that sees another chain than others, or less of it', () => {
  let node: FaultyNode
  before(async () => {
    node = await openFaultyNode()
  })
  after(() => node.close())
  afterEach(() => node.reset())

  it('verifies nothing with a receipt of a block that the chain does not have', async () => {
    await node.open({ confirmations: 2 })
    await node.register()
    await node.rounds(1)
    await node.stage.mine(4)
    node.proxy.intercept(({ method, params }) => {
      if (method !== 'eth_getBlockByNumber' || ['latest', '0x0'].includes(String(params[0]))) return 'pass'
      return { result: forkedBlock(String(params[0])) }
    })
    await node.rounds(3)
    expect((await node.scene().agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('pending')
    expect((await node.scene().anchors.byNumber(1))?.status).to.not.equal('confirmed')
    node.proxy.intercept()
    await node.stage.mine(4)
    for (let round = 0; round < 5; round += 1) {
      await node.rounds(3)
      await node.stage.mine(2)
    }
    await node.expectAllOnce()
  })

  it('is not misled by a node that lags behind', async () => {
    await node.open({ confirmations: 3 })
    const { number } = await node.stage.chain.readHead()
    await node.register()
    await node.rounds(2)
    await node.stage.mine(3)
    await node.rounds(1)
    const verified = await node.scene().agents.bySvcId('SVC-a')
    expect(verified?.blockchainStatus).to.equal('verified')
    node.proxy.intercept((request) => asOfBlock(node.stage, number, request))
    await node.rounds(4)
    expect(await node.scene().agents.bySvcId('SVC-a')).to.deep.equal(verified)
    node.proxy.intercept()
    for (let round = 0; round < 6; round += 1) {
      await node.stage.mine(2)
      await node.rounds(2)
    }
    await node.expectAllOnce()
  })

  it('keeps a consent whose turn one of several nodes behind a URL has not seen', async () => {
    await node.open({ confirmations: 3 })
    const { number } = await node.stage.chain.readHead()
    for (const [nonce, svcId] of ['SVC-a', 'SVC-b'].entries())
      await node
        .scene()
        .registerAgent(
          svcId,
          node.owner.address,
          await node.scene().consentOf(node.owner, svcId, BigInt(nonce)),
        )
    const simulating = ['eth_call', 'eth_estimateGas']
    node.proxy.intercept((request) =>
      simulating.includes(request.method) ? asOfBlock(node.stage, number, request) : 'pass',
    )
    await node.rounds(3)
    node.proxy.intercept()
    for (let round = 0; round < 6; round += 1) {
      await node.stage.mine(2)
      await node.rounds(2)
    }
    expect(await node.scene().mintedTimes('SVC-b', [node.owner.address])).to.equal(1)
    expect(await node.scene().mintedTimes('SVC-b', [node.stage.chain.relayerAddress])).to.equal(0)
  })

  it('considers nothing lost because one of several nodes behind a URL lags', async () => {
    await node.open({ confirmations: 3, resendMs: 300_000 })
    const { number } = await node.stage.chain.readHead()
    await node.register()
    await node.rounds(1)
    await node.stage.mine(5)
    const behind = ['eth_getTransactionReceipt', 'eth_getLogs', 'eth_getBlockByNumber']
    const ofOneBehind = (request: RpcRequest) =>
      behind.includes(request.method) && !['latest', '0x0'].includes(String(request.params[0]))
        ? asOfBlock(node.stage, number, request)
        : 'pass'
    node.proxy.intercept(ofOneBehind)
    await node.rounds(3)
    node.proxy.intercept()
    await node.rounds(6)
    for (let round = 0; round < 6; round += 1) {
      await node.stage.mine(2)
      await node.rounds(2)
    }
    await node.expectAllOnce()
    const verified = await node.scene().agents.bySvcId('SVC-a')
    node.proxy.intercept(ofOneBehind)
    await node.rounds(3)
    expect(await node.scene().agents.bySvcId('SVC-a')).to.deep.equal(verified)
  })

  describe('of another chain', () => {
    let other: LocalChain
    before(async () => {
      other = await startLocalChain(await findFreePort())
    })
    after(() => other.stop())

    it('reverts nothing, sends nothing, reports it, and continues with the right one', async () => {
      await node.open({ confirmations: 2 })
      await node.register()
      await node.rounds(1)
      const sent = await node.scene().db.query('relayer_transactions').count({ count: '*' }).first()
      const minedBefore = (await node.scene().mintIntent('SVC-a'))?.status
      node.stage.setUrl(other.url)
      await node.rounds(4)
      expect((await node.status()).lastError).to.match(/another|which is not chain/)
      expect((await node.scene().mintIntent('SVC-a'))?.status).to.equal(minedBefore)
      expect(await node.scene().db.query('relayer_transactions').count({ count: '*' }).first()).to.deep.equal(
        sent,
      )
      node.stage.setUrl(node.proxy.url)
      for (let round = 0; round < 6; round += 1) {
        await node.stage.mine(2)
        await node.rounds(2)
      }
      await node.expectAllOnce()
    })
  })
})
