import { expect } from 'chai'
import { generatePrivateKey } from 'viem/accounts'
import { createChainClient, relayerAccountOf } from '../../../../../server/chain/chainClient.ts'
import type { Hex } from '../../../../../server/chain/chainTypes.ts'
import { drawLogId } from '../../../../../server/services/chain/drawLogId.ts'
import { type EnsureChainDeps, ensureChain } from '../../../../../server/services/chain/ensureChain.ts'
import { handOverRelayer } from '../../../../../server/services/relayer/handOverRelayer.ts'
import { intentKey } from '../../../../../server/services/relayer/intents.ts'
import { relayOnce } from '../../../../../server/services/relayer/relayOnce.ts'
import { createTokenStore } from '../../../../../server/store/agents/tokenStore.ts'
import { batchKeyOf } from '../../../../../server/store/audit/batchStore.ts'
import { openScene, type Scene } from '../openScene.ts'
import { openStage, type Stage } from '../openStage.ts'

describe('a log besides the first', () => {
  let stage: Stage
  let scene: Scene

  before(async () => {
    stage = await openStage()
  })
  beforeEach(async () => {
    scene = await openScene(stage)
  })
  afterEach(() => scene.close())
  after(() => stage?.close())

  const draw = (nth: number): Hex =>
    drawLogId(stage.chain.relayerAddress, (length) => new Uint8Array(length).fill(nth))
  const headOf = (logId: Hex) => stage.chain.auditLog.readHead(scene.deployment.auditLog, logId)
  const intent = async (key: string) => (await scene.stores.outbox.byKey(key))?.status

  /** A client with a new, funded account, which knows the one of the scene as the former. */
  async function replaceKey() {
    const chain = createChainClient({
      ...{ url: () => stage.node.url, random: () => 0, attempts: 2 },
      ...{ account: relayerAccountOf(generatePrivateKey()), formerAccounts: [relayerAccountOf(undefined)] },
    })
    await chain.fundOnLocalChain(10n ** 18n)
    return chain
  }

  it('is opened by the relayer, which then anchors its batches beside those of the first', async () => {
    const logId = draw(1)
    await scene.addLog(1, logId)
    await scene.sealBatch(1, 0, 3, 1)
    await scene.sealBatch(1, 0, 5)
    await scene.drain()
    await scene.sealBatch(2, 3, 8, 1)
    await scene.drain()
    expect(await headOf(logId)).to.deep.include({ batch: 2, size: 8, operator: stage.chain.relayerAddress })
    expect(await headOf(scene.deployment.logId)).to.deep.include({ batch: 1, size: 5 })
    expect(await scene.anchorsOf(1).lastConfirmed()).to.equal(2)
    expect(await scene.anchors.lastConfirmed()).to.equal(1)
    expect([await intent(intentKey.open(logId)), await intent(intentKey.anchor(logId, 2))]).to.deep.equal([
      'confirmed',
      'confirmed',
    ])
  })

  it('does not delay the others while it is not open, and continues when it is', async () => {
    const logId = draw(2)
    await scene.addLog(1, logId)
    await stage.rpc('evm_setAutomine', [false])
    await scene.sealBatch(1, 0, 3, 1)
    await scene.sealBatch(1, 0, 5)
    await relayOnce(await scene.freshRelayer(), scene.deployment)
    expect([
      await intent(intentKey.open(logId)),
      await intent(intentKey.anchor(logId, 1)),
      await intent(intentKey.anchor(scene.deployment.logId, 1)),
    ]).to.deep.equal(['sent', 'queued', 'sent'])
    await stage.rpc('evm_setAutomine', [true])
    await stage.mine(1)
    await scene.drain()
    expect(await headOf(logId)).to.deep.include({ batch: 1, size: 3 })
  })

  it('is opened once, also if the intent is repeated', async () => {
    const logId = draw(3)
    await scene.addLog(1, logId)
    await scene.drain()
    const payload = { logId }
    await scene.db.transaction((trx) =>
      scene.stores.outbox.addAgain(trx, {
        ...{ idempotencyKey: 'again', kind: 'audit.open', payload, now: scene.clock.now },
      }),
    )
    await scene.drain()
    expect(await scene.stores.outbox.byKey('again')).to.deep.include({
      status: 'failed',
      lastError: `the log ${logId} is open already`,
    })
  })

  it('is opened by the former account that its id names after a change of the key', async () => {
    const chain = await replaceKey()
    const logId = draw(4)
    await scene.addLog(1, logId)
    await scene.drain(await scene.freshRelayer('test', chain))
    expect(await headOf(logId)).to.deep.include({ operator: stage.chain.relayerAddress })
  })

  it('gets another id if no account that the process knows may open the one it has', async () => {
    const foreign: Hex = `0x${'ab'.repeat(20)}${'01'.repeat(12)}`
    await scene.addLog(1, foreign)
    await scene.sealBatch(1, 0, 3, 1)
    await scene.drain()
    const [replaced] = await scene.logs.ids()
    expect(replaced?.logId).to.match(new RegExp(`^${stage.chain.relayerAddress}`, 'i'))
    expect(await headOf(replaced?.logId ?? '0x')).to.deep.include({ batch: 1, size: 3 })
    expect((await headOf(foreign)).operator).to.equal(null)
  })

  it('never hides the batches of the others, however many of its own wait', async () => {
    await scene.db.transaction((trx) => scene.logs.add(trx, { number: 1, logId: draw(6) }))
    for (let batch = 1; batch <= 12; batch += 1) await scene.sealBatch(batch, batch - 1, batch, 1)
    await scene.sealBatch(1, 0, 5)
    await scene.drain()
    expect(await scene.anchors.lastConfirmed()).to.equal(1)
    expect(await scene.anchorsOf(1).lastConfirmed()).to.equal(0)
  })

  it('keeps the service from starting over a database that lacks some of its batches', async () => {
    await scene.addLog(1, draw(8))
    await scene.sealBatch(1, 0, 3, 1)
    await scene.sealBatch(1, 0, 5)
    await scene.drain()
    await scene.sealBatch(2, 3, 8, 1)
    await scene.drain()
    const deps: EnsureChainDeps = {
      ...{ chain: stage.chain, anchorsOf: scene.anchorsOf, logs: scene.logs },
      deployments: { remembered: async () => scene.deployment } as EnsureChainDeps['deployments'],
      whileLeaseHeld: async (work) => scene.db.transaction(work),
      deploy: () => Promise.reject(new Error('deployed')),
      openOthers: () => Promise.reject(new Error('opened')),
      replay: () => Promise.reject(new Error('replayed')),
      log: { info: () => undefined, warn: () => undefined },
    }
    const input = { logId: scene.deployment.logId, isLocal: false, configured: {}, now: scene.clock.now }
    expect(await ensureChain(deps, input)).to.equal(scene.deployment)
    await scene.db
      .query('audit_batches')
      .where({ number: batchKeyOf(1, 2) })
      .delete()
    const refusal = await ensureChain(deps, input).catch((error: Error) => error)
    expect(refusal)
      .to.have.property('message')
      .that.match(/^Log 1: The audit log on chain ends at batch 2 /)
  })

  it('keeps a hand-over from being complete until it is open', async () => {
    const chain = await replaceKey()
    await scene.addLog(1, draw(7))
    const { outbox } = scene.stores
    const handOver = () =>
      handOverRelayer(
        {
          ...{ db: scene.db, chain, logs: scene.logs, outbox },
          deployments: { remembered: async () => scene.deployment },
          tokens: createTokenStore(scene.db.query),
          agents: scene.agents,
          policy: { confirmations: 1, maxFeePerGas: 10n ** 12n },
        },
        scene.clock.now,
      )
    const relayer = await scene.freshRelayer('test', chain)
    const steps: boolean[] = []
    for (let round = 0; round < 6; round += 1) {
      steps.push((await handOver()).isLogPending)
      await relayOnce(relayer, scene.deployment)
    }
    await scene.drain(relayer)
    expect(steps[0]).to.equal(true)
    while ((await handOver()).isLogPending) await scene.drain(relayer)
    for (const logId of [scene.deployment.logId, draw(7)])
      expect((await headOf(logId)).operator).to.equal(chain.relayerAddress)
  })

  it('is handed over like the first', async () => {
    const chain = await replaceKey()
    const logId = draw(5)
    await scene.addLog(1, logId)
    await scene.sealBatch(1, 0, 3, 1)
    await scene.drain()
    const relayer = await scene.freshRelayer('test', chain)
    const payload = { from: stage.chain.relayerAddress, to: chain.relayerAddress, log: 1 }
    for (const kind of ['audit.offer', 'audit.accept'])
      await scene.db.transaction((trx) =>
        scene.stores.outbox.add(trx, { idempotencyKey: kind, kind, payload, now: scene.clock.now }),
      )
    await scene.drain(relayer)
    expect(await headOf(logId)).to.deep.include({ operator: chain.relayerAddress })
    expect(await headOf(scene.deployment.logId)).to.deep.include({ operator: stage.chain.relayerAddress })
  })
})
