import { expect } from 'chai'
import { generatePrivateKey } from 'viem/accounts'
import { createChainClient, relayerAccountOf } from '../../../../../server/chain/chainClient.ts'
import type { RelayerDeps } from '../../../../../server/services/relayer/relayerDeps.ts'
import { relayOnce } from '../../../../../server/services/relayer/relayOnce.ts'
import { openScene, type Scene } from '../openScene.ts'
import { openStage, type Stage } from '../openStage.ts'

describe('the hand-over of the log to another account', () => {
  let stage: Stage
  let scene: Scene

  before(async () => {
    stage = await openStage()
    scene = await openScene(stage)
  })
  after(async () => {
    await scene?.close()
    await stage?.close()
  })

  it('is accepted only after the anchor in flight, which would be refused after it', async () => {
    const account = relayerAccountOf(generatePrivateKey())
    const formerAccounts = [relayerAccountOf(undefined)]
    const url = () => stage.node.url
    const chain = createChainClient({ url, account, formerAccounts, random: () => 0, attempts: 2 })
    await chain.fundOnLocalChain(10n ** 18n)
    const payload = { from: stage.chain.relayerAddress, to: account.address }
    const order = (kind: 'audit.offer' | 'audit.accept') =>
      scene.db.transaction((trx) =>
        scene.stores.outbox.add(trx, { idempotencyKey: kind, kind, payload, now: scene.clock.now }),
      )
    const relayer: RelayerDeps = await scene.freshRelayer('test', chain)
    const operator = async () =>
      (await chain.auditLog.readHead(scene.deployment.auditLog, scene.deployment.logId)).operator
    await order('audit.offer')
    await scene.drain(relayer)

    await stage.rpc('evm_setAutomine', [false])
    await scene.sealBatch(1, 0, 3)
    await relayOnce(relayer, scene.deployment)
    expect(await scene.anchorIntent(1)).to.deep.include({ status: 'sent', sender: payload.from })
    await order('audit.accept')
    await relayOnce(relayer, scene.deployment)
    expect(await scene.stores.outbox.byKey('audit.accept')).to.deep.include({ status: 'queued' })

    await stage.rpc('evm_setAutomine', [true])
    await stage.mine(1)
    await scene.drain(relayer)
    expect(await operator()).to.equal(account.address)
    expect(await scene.anchorIntent(1)).to.deep.include({ status: 'confirmed', attempts: 1 })
  })
})
