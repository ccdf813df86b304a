import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createRelayer } from '../../../../server/services/relayer/createRelayer.ts'
import type { RelayerPolicy } from '../../../../server/services/relayer/relayerDeps.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

describe('relayer on a faulty chain', () => {
  let stage: Stage
  let scene: Scene
  let snapshot: unknown
  const owner = privateKeyToAccount(generatePrivateKey())

  const open = async (changes: Partial<RelayerPolicy> = {}) => {
    scene = await openScene(stage, changes)
    snapshot = await stage.rpc('evm_snapshot')
  }
  const relay = async () => relayOnce(await scene.freshRelayer(), scene.deployment)
  const relayTimes = async (times: number) => {
    for (let round = 0; round < times; round += 1) await relay()
  }
  const register = (svcId: string) => scene.registerAgent(svcId, owner.address, null)
  const statusOf = async (svcId: string) => (await scene.mintIntent(svcId))?.status
  const transactions = () =>
    scene.db.query('relayer_transactions').select('hash', 'nonce', 'max_fee_per_gas').orderBy('signed_at')
  const pending = async () => {
    const block = (await stage.rpc('eth_getBlockByNumber', ['pending', false])) as { transactions: string[] }
    return block.transactions
  }

  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())
  afterEach(async () => {
    stage.setAway(false)
    await stage.rpc('evm_setAutomine', [true])
    await stage.rpc('evm_revert', [snapshot])
    await scene.close()
  })

  it('resends a transaction that the node dropped', async () => {
    await open()
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-a')
    await relay()
    const [hash] = await pending()
    await stage.rpc('hardhat_dropTransaction', [hash])
    await relay()
    expect(await pending()).to.deep.equal([])
    scene.clock.now += 2_000
    await relay()
    expect(await pending()).to.deep.equal([hash])
    await stage.mine(1)
    await stage.rpc('evm_setAutomine', [true])
    await scene.drain()
    expect((await scene.agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('verified')
  })

  it('replaces an overdue transaction by one with fees an eighth higher, for the same nonce', async () => {
    await open()
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-b')
    await relay()
    scene.clock.now += 6_000
    await relay()
    const [first, second] = await transactions()
    expect(second.nonce).to.equal(first.nonce)
    expect(BigInt(second.max_fee_per_gas) * 8n >= BigInt(first.max_fee_per_gas) * 9n).to.equal(true)
    expect(await pending()).to.deep.equal([second.hash])
    await stage.mine(1)
    await stage.rpc('evm_setAutomine', [true])
    await scene.drain()
    const agent = await scene.agents.bySvcId('SVC-b')
    expect(agent?.chainTransaction).to.equal(second.hash)
  })

  it('finds the previous transaction if that one was mined', async () => {
    await open()
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-c')
    await relay()
    const former = await scene.freshRelayer()
    scene.clock.now += 6_000
    const refuseAll = { ...stage.chain, send: async () => ({ outcome: 'underpriced' as const }) }
    await relayOnce({ ...former, chain: refuseAll }, scene.deployment)
    const [first, second] = await transactions()
    expect(second).to.be.an('object')
    await stage.mine(1)
    await stage.rpc('evm_setAutomine', [true])
    await scene.drain()
    expect((await scene.agents.bySvcId('SVC-c'))?.chainTransaction).to.equal(first.hash)
  })

  it('never offers more than the fee cap', async () => {
    await open({ maxFeePerGas: 5n * 10n ** 9n })
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-d')
    for (let round = 0; round < 20; round += 1) {
      await relay()
      scene.clock.now += 6_000
    }
    const fees = (await transactions()).map((row) => BigInt(row.max_fee_per_gas))
    expect(fees.length).to.be.greaterThan(2)
    expect(fees.every((fee) => fee <= 5n * 10n ** 9n)).to.equal(true)
  })

  it('waits while gas costs more than the cap', async () => {
    await open({ maxFeePerGas: 10n ** 10n })
    await stage.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x174876e800'])
    await stage.mine(1)
    await register('SVC-e')
    await relay()
    expect(await transactions()).to.deep.equal([])
    expect((await scene.mintIntent('SVC-e'))?.lastError).to.contain('more than allowed')
    await stage.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x3b9aca00'])
    await stage.mine(1)
    scene.clock.now += 20_000
    await scene.drain()
    expect((await scene.agents.bySvcId('SVC-e'))?.blockchainStatus).to.equal('verified')
  })

  it('spends no more than the daily budget, and continues the next day', async () => {
    await open({ dailyBudgetGwei: 1_000_000 })
    await stage.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x3b9aca00'])
    await stage.mine(1)
    await register('SVC-f')
    await register('SVC-g')
    await relayTimes(6)
    expect(await scene.stores.transactions.costSince(0)).to.be.within(1, 1_000_000)
    expect(await scene.stores.outbox.oldestError()).to.equal('the daily budget is spent')
    for (let day = 0; day < 6; day += 1) {
      scene.clock.now += 86_400_001
      await relayTimes(4)
    }
    expect((await scene.agents.bySvcId('SVC-g'))?.blockchainStatus).to.equal('verified')
  })

  it('returns to sent if the block is removed, and is never verified before its depth', async () => {
    await open({ confirmations: 3 })
    await register('SVC-h')
    const before = await stage.rpc('evm_snapshot')
    await relayTimes(2)
    expect(await statusOf('SVC-h')).to.equal('mined')
    await stage.rpc('evm_revert', [before])
    await stage.rpc('evm_setAutomine', [false])
    await stage.mine(1)
    await relay()
    expect(await statusOf('SVC-h')).to.equal('sent')
    expect((await scene.agents.bySvcId('SVC-h'))?.blockchainStatus).to.equal('pending')
    scene.clock.now += 2_000
    await relay()
    await stage.mine(1)
    await stage.rpc('evm_setAutomine', [true])
    await relay()
    expect(await statusOf('SVC-h')).to.equal('mined')
    await stage.mine(2)
    await relayTimes(3)
    await stage.mine(3)
    await scene.drain()
    const agent = await scene.agents.bySvcId('SVC-h')
    expect(agent?.blockchainStatus).to.equal('verified')
    expect(await scene.mintedTimes('SVC-h', [stage.chain.relayerAddress])).to.equal(1)
    expect((await transactions()).length).to.equal(2)
  })

  it('reverts the state of a batch whose block is gone', async () => {
    await open({ confirmations: 3 })
    await scene.sealBatch(1, 0, 4)
    const before = await stage.rpc('evm_snapshot')
    await relayTimes(2)
    expect((await scene.anchors.byNumber(1))?.status).to.equal('anchored')
    await stage.rpc('evm_revert', [before])
    await relay()
    expect((await scene.anchors.byNumber(1))?.status).to.equal('sealed')
    scene.clock.now += 2_000
    await relayTimes(2)
    await stage.mine(2)
    await scene.drain()
    expect((await scene.anchors.byNumber(1))?.status).to.equal('confirmed')
  })

  it('prepares a transaction again, after a search, if a foreign one took its nonce', async () => {
    await open()
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-i')
    await relay()
    for (const hash of await pending()) await stage.rpc('hardhat_dropTransaction', [hash])
    const me = stage.chain.relayerAddress
    await stage.rpc('eth_sendTransaction', [{ from: me, to: me }])
    await stage.mine(1)
    await stage.rpc('evm_setAutomine', [true])
    await scene.drain()
    // A receipt may merely be late.
    expect(await statusOf('SVC-i')).to.equal('sent')
    scene.clock.now += 1_000
    await scene.drain()
    expect((await scene.agents.bySvcId('SVC-i'))?.blockchainStatus).to.equal('verified')
    expect(await scene.mintedTimes('SVC-i', [owner.address, me])).to.equal(1)
  })

  it('fills a nonce gap that blocks those above it', async () => {
    await open()
    const me = stage.chain.relayerAddress
    const before = await stage.rpc('evm_snapshot')
    await stage.rpc('eth_sendTransaction', [{ from: me, to: me }])
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-j')
    await relay()
    await stage.rpc('evm_revert', [before])
    await stage.rpc('evm_setAutomine', [true])
    scene.clock.now += 2_000
    await scene.drain()
    expect((await scene.agents.bySvcId('SVC-j'))?.blockchainStatus).to.equal('verified')
  })

  it('keeps everything while its wallet is empty, reports it, and continues when it is funded', async () => {
    await open()
    const purse = await stage.chain.readBalance(stage.chain.relayerAddress)
    const relayer = createRelayer({
      relay: await scene.freshRelayer(),
      lease: scene.leaseOf('test'),
      ensure: async () => scene.deployment,
      lowBalance: 10n ** 15n,
    })
    await stage.rpc('hardhat_setBalance', [stage.chain.relayerAddress, '0x1'])
    await register('SVC-k')
    await relayer.round()
    const status = await relayer.status()
    expect(status).to.deep.include({ reachable: true, backlog: 1, balanceLow: true })
    expect(status.lastError).to.match(/funds/)
    await stage.rpc('hardhat_setBalance', [stage.chain.relayerAddress, `0x${purse.toString(16)}`])
    for (let round = 0; round < 12; round += 1) {
      scene.clock.now += 40_000
      await relayer.round()
    }
    expect((await scene.agents.bySvcId('SVC-k'))?.blockchainStatus).to.equal('verified')
    expect(await relayer.status()).to.deep.include({ backlog: 0, lastError: null, balanceLow: false })
  })

  it('restarts its own chain, and drains', async () => {
    await open()
    const relayer = createRelayer({
      relay: await scene.freshRelayer(),
      lease: scene.leaseOf('test'),
      ensure: async () => {
        stage.setAway(false)
        return scene.deployment
      },
      lowBalance: 0n,
    })
    await relayer.round()
    stage.setAway(true)
    await register('SVC-m')
    for (let round = 0; round < 12; round += 1) {
      await relayer.round()
      scene.clock.now += 20_000
    }
    expect((await scene.agents.bySvcId('SVC-m'))?.blockchainStatus).to.equal('verified')
  })

  it('queues while the chain is unreachable, reports it, and drains when it is back', async () => {
    await open()
    let compared = 0
    const relayer = createRelayer({
      relay: await scene.freshRelayer(),
      lease: scene.leaseOf('test'),
      ensure: async () => {
        compared += 1
        return scene.deployment
      },
      lowBalance: 0n,
    })
    await relayer.round()
    stage.setAway(true)
    await register('SVC-l')
    await scene.sealBatch(1, 0, 2)
    scene.clock.now += 20_000
    await relayer.round()
    const away = await relayer.status()
    expect(away).to.deep.include({ reachable: false, backlog: 2 })
    expect(away.lastError).to.be.a('string')
    stage.setAway(false)
    for (let round = 0; round < 12; round += 1) {
      scene.clock.now += 20_000
      await relayer.round()
    }
    expect(await relayer.status()).to.deep.include({ reachable: true, backlog: 0, lastError: null })
    expect(compared).to.equal(2)
    expect(await scene.anchors.lastConfirmed()).to.equal(1)
  })
})
