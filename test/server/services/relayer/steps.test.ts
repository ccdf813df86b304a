import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../../../server/chain/chainTypes.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

describe('the steps of the relayer', () => {
  let stage: Stage
  let scene: Scene
  let snapshot: unknown
  /** The transactions sent to the node, oldest first. */
  let sent: Hex[]
  const owner = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())
  const open = async (changes: Parameters<typeof openScene>[1] = {}) => {
    sent = []
    scene = await openScene(stage, changes)
    snapshot = await stage.rpc('evm_snapshot')
  }
  afterEach(async () => {
    await stage.rpc('evm_setAutomine', [true])
    await stage.rpc('evm_revert', [snapshot])
    await scene.close()
  })

  const send = async (raw: Hex) => {
    sent.push(raw)
    return await stage.chain.send(raw)
  }
  const relay = async () =>
    relayOnce({ ...(await scene.freshRelayer()), chain: { ...stage.chain, send } }, scene.deployment)
  const register = (svcId: string) => scene.registerAgent(svcId, owner.address, null)
  const signed = () =>
    scene.db
      .query('relayer_transactions')
      .select('hash', 'nonce', 'cost_gwei', 'max_fee_per_gas', 'signed_at')
      .orderBy(['nonce', 'signed_at'])

  it('sends sixteen intents, the oldest first, and more when there is room', async () => {
    await open()
    await stage.rpc('evm_setAutomine', [false])
    const ids = Array.from({ length: 18 }, (_, index) => `SVC-${index}`)
    for (const svcId of ids) await register(svcId)
    await relay()
    expect(await signed()).to.have.length(16)
    expect(sent).to.have.length(16)
    const statuses = await Promise.all(ids.map(async (svcId) => (await scene.mintIntent(svcId))?.status))
    expect(statuses).to.deep.equal([...Array(16).fill('sent'), 'queued', 'queued'])
    const nonces = (await signed()).map(({ nonce }) => Number(nonce))
    expect(nonces).to.deep.equal(nonces.map((_, index) => (nonces[0] ?? 0) + index))
    await relay()
    expect(await signed()).to.have.length(16)
    await stage.mine(1)
    await relay()
    await relay()
    expect((await scene.mintIntent('SVC-17'))?.status).to.equal('sent')
  })

  it('allows a quarter more gas than estimated, and counts it until the actual cost is known', async () => {
    await open()
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-a')
    await relay()
    const [{ hash, cost_gwei: cost, max_fee_per_gas: fee }] = await signed()
    const { gas, input, from, to } = (await stage.rpc('eth_getTransactionByHash', [hash])) as {
      gas: Hex
      input: Hex
      from: Hex
      to: Hex
    }
    const estimate = BigInt(
      (await stage.rpc('eth_estimateGas', [{ from, to, data: input }, 'latest'])) as Hex,
    )
    expect(BigInt(gas)).to.equal((estimate * 5n) / 4n)
    expect(Number(cost)).to.equal(gwei(BigInt(gas) * BigInt(fee)))
    expect(await scene.stores.transactions.costSince(0)).to.equal(Number(cost))
    await stage.mine(1)
    await relay()
    const receipt = (await stage.rpc('eth_getTransactionReceipt', [hash])) as {
      gasUsed: Hex
      effectiveGasPrice: Hex
    }
    const [{ cost_gwei: paid }] = await signed()
    expect(Number(paid)).to.equal(gwei(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)))
    expect(Number(paid)).to.be.lessThan(Number(cost))
  })

  it('resends, and later replaces, when each is due', async () => {
    await open({ resendMs: 1_000, replaceMs: 5_000 })
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-b')
    await register('SVC-c')
    await relay()
    const [first, second] = sent
    scene.clock.now += 999
    await relay()
    expect(sent).to.deep.equal([first, second])
    scene.clock.now += 1
    await relay()
    expect(sent).to.deep.equal([first, second, first, second])
    scene.clock.now += 3_999
    await relay()
    expect(await signed()).to.have.length(2)
    scene.clock.now += 1_000
    await relay()
    const transactions = await signed()
    // Only the first: the second merely waits for it.
    expect(transactions.map(({ nonce }) => Number(nonce - transactions[0].nonce))).to.deep.equal([0, 0, 1])
    expect(sent).to.have.length(8)
    expect(sent.at(-2)).to.not.equal(first)
    expect(sent.at(-1)).to.equal(second)
  })

  it('resends a rejected transaction after the pause', async () => {
    await open()
    await register('SVC-d')
    const relayer = await scene.freshRelayer()
    const refuse = async () => ({ outcome: 'rejected' as const, message: 'busy' })
    await relayOnce({ ...relayer, chain: { ...stage.chain, send: refuse } }, scene.deployment)
    scene.clock.now += 31_999
    await relay()
    expect(sent).to.deep.equal([])
    scene.clock.now += 1
    await relay()
    expect(sent).to.have.length(1)
    expect((await scene.mintIntent('SVC-d'))?.status).to.equal('sent')
  })

  it('keeps sending the previous transaction, and reports it, if a replacement would exceed the cap', async () => {
    await open()
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-e')
    await relay()
    const [{ max_fee_per_gas: fee }] = await signed()
    const relayer = await scene.freshRelayer()
    const policy = { ...relayer.policy, maxFeePerGas: BigInt(fee) }
    scene.clock.now += 5_000
    await relayOnce({ ...relayer, policy, chain: { ...stage.chain, send } }, scene.deployment)
    expect(await signed()).to.have.length(1)
    expect(sent[1]).to.equal(sent[0])
    const intent = await scene.mintIntent('SVC-e')
    expect(intent?.lastError).to.equal('a replacement would cost more than allowed')
  })

  it('keeps sending the previous transaction if the daily budget leaves nothing for a replacement', async () => {
    await open()
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-f')
    await relay()
    const [{ cost_gwei: cost }] = await signed()
    const relayer = await scene.freshRelayer()
    const again = async (dailyBudgetGwei: number) => {
      const policy = { ...relayer.policy, dailyBudgetGwei }
      await relayOnce({ ...relayer, policy, chain: { ...stage.chain, send } }, scene.deployment)
    }
    scene.clock.now += 5_000
    await again(Number(cost))
    expect(await signed()).to.have.length(1)
    expect((await scene.mintIntent('SVC-f'))?.lastError).to.equal('the daily budget is spent')
    scene.clock.now += 5_000
    // The cost of the previous transaction is not counted twice.
    await again(Math.ceil(Number(cost) * 1.2))
    expect(await signed()).to.have.length(2)
  })

  it('is final at its depth, and no block earlier', async () => {
    await open({ confirmations: 3 })
    await register('SVC-g')
    await relay()
    await relay()
    const statusOf = async () => (await scene.mintIntent('SVC-g'))?.status
    expect(await statusOf()).to.equal('mined')
    await stage.mine(1)
    await relay()
    expect(await statusOf()).to.equal('mined')
    await stage.mine(1)
    await relay()
    expect(await statusOf()).to.not.equal('mined')
  })
})

function gwei(wei: bigint): number {
  return Number((wei + 999_999_999n) / 1_000_000_000n)
}
