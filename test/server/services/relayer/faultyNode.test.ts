import { expect } from 'chai'
import { keccak256 } from 'viem'
import type { Hex } from '../../../../server/chain/chainTypes.ts'
import { faultMode } from '../../../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import { BAD_ANSWERS } from './faultyNode.ts'
import { type FaultyNode, openFaultyNode } from './openFaultyNode.ts'

/** One in this many steps is tried; the long form tries all. */
const EACH = faultMode === 'full' ? 1 : 11

describe('relayer with an unreliable node', () => {
  let node: FaultyNode
  before(async () => {
    node = await openFaultyNode()
  })
  after(() => node.close())
  afterEach(() => node.reset())

  for (const [name, deed] of BAD_ANSWERS) {
    it(`waits for one that ${name}, and drains afterwards`, async () => {
      await node.open()
      await node.register()
      node.proxy.intercept(() => deed)
      await node.rounds(2)
      const { backlog, lastError } = await node.status()
      expect(backlog).to.equal(3)
      expect(lastError).to.be.a('string')
      node.proxy.intercept()
      await node.drain(8)
      await node.expectAllOnce()
    })
  }

  it('continues immediately after a node returned nonsense at any step', async () => {
    let moments = 0
    for (let moment = 1, isReached = true; isReached; moment += EACH) {
      if (moments > 0) await node.scene().close()
      // As with a real chain, the time until a resend is longer than these rounds.
      await node.open({ resendMs: 300_000 })
      await node.register()
      let asked = 0
      node.proxy.intercept(() => {
        asked += 1
        return asked < moment ? 'pass' : { result: { nonsense: true } }
      })
      await node.rounds(2)
      isReached = asked >= moment
      node.proxy.intercept()
      await node.drain(5)
      await node.expectAllOnce()
      moments += 1
    }
    expect(moments).to.be.at.least(3)
    reportFaultFigure(
      `a node that returns nonsense from each of ${moments} points on: everything on chain once, in the following rounds`,
    )
  })

  it('sends nothing twice if the response to a sending is lost', async () => {
    await node.open()
    await node.register()
    let lost = 0
    node.proxy.intercept(({ method, params }) => {
      if (method !== 'eth_sendRawTransaction') return 'pass'
      lost += 1
      void node.stage.rpc(method, params).catch(() => undefined)
      return { status: 504, text: 'gateway timeout' }
    })
    await node.rounds(4)
    expect(lost).to.be.greaterThan(2)
    node.proxy.intercept()
    await node.drain(8)
    await node.expectAllOnce()
  })

  it('resends a transaction that a node accepted and silently lost', async () => {
    await node.open()
    await node.register()
    node.proxy.intercept(({ method, params }) =>
      method === 'eth_sendRawTransaction' ? { result: keccak256(params[0] as Hex) } : 'pass',
    )
    await node.rounds(3)
    expect((await node.status()).backlog).to.equal(3)
    node.proxy.intercept()
    await node.drain(10)
    await node.expectAllOnce()
  })

  for (const message of ['already known', 'nonce too low', 'replacement transaction underpriced']) {
    it(`checks the outcome of a transaction that is answered with "${message}"`, async () => {
      await node.open()
      await node.register()
      node.proxy.intercept(({ method }) =>
        method === 'eth_sendRawTransaction' ? { error: message } : 'pass',
      )
      await node.rounds(3)
      expect((await node.scene().mintIntent('SVC-a'))?.status).to.equal('sent')
      expect((await node.scene().agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('pending')
      node.proxy.intercept()
      await node.drain(10)
      await node.expectAllOnce()
    })
  }

  it('resends a transaction that arrived before its turn', async () => {
    await node.open()
    await node.register()
    node.proxy.intercept(({ method }) =>
      method === 'eth_sendRawTransaction' ? { error: 'Nonce too high. Expected nonce to be 5' } : 'pass',
    )
    await node.rounds(2)
    expect((await node.scene().mintIntent('SVC-a'))?.status).to.equal('signed')
    node.proxy.intercept()
    await node.rounds(1)
    expect((await node.scene().mintIntent('SVC-a'))?.status).to.equal('sent')
    await node.rounds(4)
    await node.expectAllOnce()
  })

  it('waits for the end of a gas spike after the sending, within the cap', async () => {
    const cap = 20n * 10n ** 9n
    await node.open({ maxFeePerGas: cap })
    await node.stage.rpc('evm_setAutomine', [false])
    await node.register()
    await node.rounds(1)
    await node.stage.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x174876e800'])
    await node.stage.mine(1)
    await node.rounds(6)
    expect((await node.scene().agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('pending')
    const fees = await node.scene().db.query('relayer_transactions').select('max_fee_per_gas')
    expect(fees.every((row) => BigInt(row.max_fee_per_gas) <= cap)).to.equal(true)
    await node.stage.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x3b9aca00'])
    await node.stage.mine(1)
    for (let round = 0; round < 8; round += 1) {
      await node.rounds(2)
      await node.stage.mine(1)
    }
    await node.expectAllOnce()
  })
})
