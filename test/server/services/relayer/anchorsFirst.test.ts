import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { RelayerPolicy } from '../../../../server/services/relayer/relayerDeps.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

describe('a relayer flooded with registrations by strangers', () => {
  let stage: Stage
  let scene: Scene
  let snapshot: unknown
  const owner = privateKeyToAccount(generatePrivateKey())

  const relay = async (policy: Partial<RelayerPolicy> = {}, chain = stage.chain) => {
    const relayer = await scene.freshRelayer()
    return relayOnce({ ...relayer, chain, policy: { ...relayer.policy, ...policy } }, scene.deployment)
  }
  const register = async (first: number, count: number) => {
    for (let nth = first; nth < first + count; nth += 1) {
      await scene.registerAgent(`SVC-${nth}`, owner.address, null)
    }
  }
  const signed = () =>
    scene.db
      .query('relayer_transactions')
      .join('relayer_intents', 'relayer_intents.id', 'intent_id')
      .select('kind', 'cost_gwei', 'relayer_transactions.nonce')
      .orderBy('relayer_transactions.nonce')
  const kinds = async () => (await signed()).map(({ kind }) => kind)

  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())
  beforeEach(async () => {
    scene = await openScene(stage)
    snapshot = await stage.rpc('evm_snapshot')
    await stage.rpc('evm_setAutomine', [false])
  })
  afterEach(async () => {
    await stage.rpc('evm_setAutomine', [true])
    await stage.rpc('evm_revert', [snapshot])
    await scene.close()
  })

  it('anchors before it mints earlier registrations', async () => {
    await register(0, 101)
    await scene.sealBatch(1, 0, 4)
    await relay()
    const [first, ...others] = await kinds()
    expect(first).to.equal('audit.anchor')
    expect(new Set(others)).to.deep.equal(new Set(['identity.mint']))
  })

  it('sends transactions to the node in the order of their nonces', async () => {
    await register(0, 2)
    await scene.sealBatch(1, 0, 4)
    const sent: string[] = []
    await relay(
      {},
      {
        ...stage.chain,
        async send(raw) {
          sent.push(raw)
          return stage.chain.send(raw)
        },
      },
    )
    const stored = await scene.db.query('relayer_transactions').select('raw').orderBy('nonce')
    expect(sent).to.have.length(3)
    expect(sent).to.deep.equal(stored.map(({ raw }) => raw))
  })

  it('sends a batch before it prepares registrations', async () => {
    await register(0, 2)
    await scene.sealBatch(1, 0, 4)
    const steps: string[] = []
    const chain = {
      ...stage.chain,
      async sign(...given: Parameters<typeof stage.chain.sign>) {
        steps.push('sign')
        return stage.chain.sign(...given)
      },
      async send(raw: `0x${string}`) {
        steps.push('send')
        return stage.chain.send(raw)
      },
    }
    await relay({}, chain)
    expect(steps).to.deep.equal(['sign', 'send', 'sign', 'sign', 'send', 'send'])
    expect((await kinds())[0]).to.equal('audit.anchor')
  })

  it('keeps a quarter of the daily budget for anchors', async () => {
    await register(0, 1)
    await relay()
    const [{ cost_gwei: cost }] = await signed()
    const dailyBudgetGwei = 4 * Number(cost)
    await register(1, 8)
    await relay({ dailyBudgetGwei })
    const minted = (await signed()).map((row) => Number(row.cost_gwei))
    expect(minted.reduce((sum, one) => sum + one)).to.be.within(2 * Number(cost), 3 * Number(cost))
    expect(await scene.stores.outbox.oldestError()).to.equal('the daily budget is spent')

    await scene.sealBatch(1, 0, 4)
    expect(await relay({ dailyBudgetGwei })).to.be.above(0)
    expect((await scene.anchorIntent(1))?.status).to.equal('sent')
    expect(await scene.stores.transactions.costSince(0)).to.be.below(dailyBudgetGwei)
    expect((await kinds()).filter((kind) => kind === 'identity.mint')).to.have.length(minted.length)
  })

  it('pauses anchors too when the whole budget is spent', async () => {
    await register(0, 1)
    await relay()
    const [{ cost_gwei: cost }] = await signed()
    await scene.sealBatch(1, 0, 4)
    await relay({ dailyBudgetGwei: Number(cost) })
    expect((await scene.anchorIntent(1))?.lastError).to.equal('the daily budget is spent')
  })

  it('leaves to others the unused part of the anchors’ share, and no more', async () => {
    await scene.sealBatch(1, 0, 4)
    await relay()
    const [{ cost_gwei: anchored }] = await signed()
    await register(0, 1)
    await relay({ dailyBudgetGwei: Number(anchored) })
    expect(await kinds()).to.deep.equal(['audit.anchor'])
  })
})
