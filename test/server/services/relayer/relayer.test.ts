import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { readOwnerNonce } from '../../../../server/services/chain/readOwnerNonce.ts'
import { notifyConfirmed } from '../../../../server/services/relayer/notifications.ts'
import { prepareIntents } from '../../../../server/services/relayer/prepareIntents.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { sendIntents } from '../../../../server/services/relayer/sendIntents.ts'
import { startRound } from '../../../../server/services/relayer/startRound.ts'
import { trackIntents } from '../../../../server/services/relayer/trackIntents.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

describe('relayer', () => {
  let stage: Stage
  let scene: Scene
  const owner = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())
  afterEach(() => scene.close())

  describe('identities', () => {
    it('mints to the consenting owner, and records the token', async () => {
      scene = await openScene(stage)
      await scene.registerAgent('SVC-a', owner.address, await scene.consentOf(owner, 'SVC-a', 0n))
      await scene.drain()
      const agent = await scene.agents.bySvcId('SVC-a')
      const { chainId, identityRegistry } = scene.deployment
      expect(agent?.blockchainStatus).to.equal('verified')
      expect(agent?.chainAgentId).to.equal(1)
      expect(agent?.chainRegistry).to.equal(`eip155:${chainId}:${identityRegistry}`)
      expect(await stage.chain.identity.readOwner(identityRegistry, 1n)).to.equal(owner.address)
      const receipt = await stage.chain.readReceipt(agent?.chainTransaction as `0x${string}`)
      expect(receipt?.block).to.equal(agent?.chainBlock)
      expect(scene.notified).to.deep.equal(['SVC-a'])
      expect(await scene.stores.outbox.backlog()).to.equal(0)
    })

    it('mints to itself and transfers without a consent', async () => {
      scene = await openScene(stage)
      await scene.registerAgent('SVC-b', owner.address, null)
      await scene.drain()
      expect((await scene.agents.bySvcId('SVC-b'))?.blockchainStatus).to.equal('verified')
      expect(await stage.chain.identity.readOwner(scene.deployment.identityRegistry, 1n)).to.equal(
        owner.address,
      )
      expect(scene.notified).to.deep.equal(['SVC-b'])
    })

    for (const [name, nonce, deadline] of [
      ['an expired consent', 0n, 1n],
      ['a consent for another nonce', 7n, 4_000_000_000n],
    ] as const) {
      it(`falls back on ${name} without losing the agent`, async () => {
        scene = await openScene(stage)
        const consent = await scene.consentOf(owner, 'SVC-c', nonce, deadline)
        await scene.registerAgent('SVC-c', owner.address, consent)
        await scene.drain()
        expect((await scene.agents.bySvcId('SVC-c'))?.blockchainStatus).to.equal('verified')
        expect(await scene.mintedTimes('SVC-c', [owner.address, stage.chain.relayerAddress])).to.equal(1)
      })
    }

    it('mints with each of several consents that wait together', async () => {
      scene = await openScene(stage)
      const registry = scene.deployment.identityRegistry
      for (const [index, svcId] of ['SVC-m', 'SVC-n', 'SVC-o'].entries()) {
        const nonce = await readOwnerNonce(
          { ...scene.stores, chain: stage.chain, deployments: { remembered: async () => scene.deployment } },
          { owner: owner.address },
        )
        expect(nonce).to.equal(BigInt(index))
        await scene.registerAgent(svcId, owner.address, await scene.consentOf(owner, svcId, nonce))
        if (index === 0) await relayOnce(await scene.freshRelayer(), scene.deployment)
      }
      await scene.drain()
      const wallets = await Promise.all(
        [1n, 2n, 3n].map((agentId) => stage.chain.identity.readOwner(registry, agentId)),
      )
      expect(wallets).to.deep.equal([owner.address, owner.address, owner.address])
      expect(await scene.mintedTimes('SVC-o', [stage.chain.relayerAddress])).to.equal(0)
      expect(await stage.chain.identity.readNonce(registry, owner.address)).to.equal(3n)
    })

    it('adopts a registration that the owner submitted independently', async () => {
      scene = await openScene(stage)
      const consent = await scene.consentOf(owner, 'SVC-d', 0n)
      await scene.registerAgent('SVC-d', owner.address, consent)
      const [, stranger] = (await stage.rpc('eth_accounts')) as string[]
      const data = stage.chain.identity.encodeRegisterFor({
        owner: owner.address,
        agentURI: 'https://svc.test/registration-files/SVC-d.json',
        metadata: [],
        deadline: BigInt(consent.deadline),
        signature: consent.signature,
      })
      const hash = await stage.rpc('eth_sendTransaction', [
        { from: stranger, to: scene.deployment.identityRegistry, data },
      ])
      await scene.drain()
      const agent = await scene.agents.bySvcId('SVC-d')
      expect(agent?.blockchainStatus).to.equal('verified')
      expect(agent?.chainTransaction).to.equal(hash)
      expect(await scene.mintedTimes('SVC-d', [owner.address, stage.chain.relayerAddress])).to.equal(1)
    })

    it('marks an intent as failed if the contract permanently rejects it', async () => {
      scene = await openScene(stage)
      await scene.registerAgent('SVC-e', owner.address, null)
      await scene.db.query('relayer_intents').update({
        payload: JSON.stringify({
          svcId: 'SVC-e',
          owner: owner.address,
          agentURI: 'x',
          metadata: [{ metadataKey: 'agentWallet', metadataValue: '0x00' }],
          consent: null,
        }),
      })
      await scene.drain()
      expect((await scene.agents.bySvcId('SVC-e'))?.blockchainStatus).to.equal('failed')
      expect((await scene.mintIntent('SVC-e'))?.lastError).to.contain('reserved key')
      expect(await scene.stores.outbox.backlog()).to.equal(0)
    })

    it('is not blocked by an intent that cannot be read', async () => {
      scene = await openScene(stage)
      await scene.registerAgent('SVC-f', owner.address, null)
      await scene.db.query('relayer_intents').update({ payload: '{}' })
      await scene.registerAgent('SVC-g', owner.address, null)
      await scene.drain()
      expect((await scene.agents.bySvcId('SVC-g'))?.blockchainStatus).to.equal('verified')
      expect((await scene.mintIntent('SVC-f'))?.status).to.equal('queued')
    })
  })

  describe('batches', () => {
    it('anchors them in order, however many are pending', async () => {
      scene = await openScene(stage)
      await scene.sealBatch(1, 0, 3)
      await scene.sealBatch(2, 3, 4)
      const root = await scene.sealBatch(3, 4, 9)
      await scene.drain()
      const head = await stage.chain.auditLog.readHead(scene.deployment.auditLog, scene.deployment.logId)
      expect(head).to.deep.include({ batch: 3, size: 9, root })
      expect(await scene.anchors.lastConfirmed()).to.equal(3)
      expect((await scene.anchors.byNumber(2))?.status).to.equal('confirmed')
    })

    it('recognises an anchored batch and does not send it again', async () => {
      scene = await openScene(stage)
      await scene.sealBatch(1, 0, 3)
      await scene.drain()
      const first = await scene.db.query('audit_batches').first()
      await scene.db.query('relayer_transactions').delete()
      await scene.db.query('relayer_intents').update({ status: 'queued', nonce: null, settled_at: null })
      await scene.db.query('audit_batches').update({ status: 'sealed', transaction_hash: null })
      await scene.drain()
      const again = await scene.db.query('audit_batches').first()
      expect(again.status).to.equal('confirmed')
      expect(again.transaction_hash).to.equal(first.transaction_hash)
      expect(await scene.db.query('relayer_transactions').select('hash')).to.deep.equal([])
    })
  })

  describe('killed between any two steps', () => {
    const STEPS = { track: trackIntents, prepare: prepareIntents, send: sendIntents } as const

    it('continues with the same database, with each effect on chain once', async () => {
      scene = await openScene(stage)
      await scene.registerAgent('SVC-h', owner.address, await scene.consentOf(owner, 'SVC-h', 0n))
      await scene.registerAgent('SVC-i', owner.address, null)
      await scene.sealBatch(1, 0, 2)
      for (let step = 0; step < 12; step += 1) {
        for (const name of ['prepare', 'send', 'track'] as const) {
          const relayer = await scene.freshRelayer()
          await STEPS[name](relayer, await startRound(relayer, scene.deployment))
        }
        await notifyConfirmed(await scene.freshRelayer())
      }
      expect(await scene.stores.outbox.backlog()).to.equal(0)
      const holders = [owner.address, stage.chain.relayerAddress]
      expect(await scene.mintedTimes('SVC-h', holders)).to.equal(1)
      expect(await scene.mintedTimes('SVC-i', holders)).to.equal(1)
      expect(await scene.anchors.lastConfirmed()).to.equal(1)
    })

    it('does not mint again if the response to a transaction was lost', async () => {
      scene = await openScene(stage)
      await scene.registerAgent('SVC-j', owner.address, null)
      const dying = await scene.freshRelayer()
      await prepareIntents(dying, await startRound(dying, scene.deployment))
      const send = async (raw: `0x${string}`) => {
        await stage.chain.send(raw)
        throw new Error('killed')
      }
      const killed = sendIntents(
        { ...dying, chain: { ...stage.chain, send } },
        await startRound(dying, scene.deployment),
      )
      await killed.catch(() => undefined)
      expect((await scene.mintIntent('SVC-j'))?.status).to.equal('signed')
      await scene.drain()
      expect(await scene.mintedTimes('SVC-j', [owner.address, stage.chain.relayerAddress])).to.equal(1)
    })

    it('notifies of a confirmation again if it died before the notification', async () => {
      scene = await openScene(stage)
      await scene.registerAgent('SVC-k', owner.address, await scene.consentOf(owner, 'SVC-k', 0n))
      const dying = await scene.freshRelayer()
      while ((await scene.mintIntent('SVC-k'))?.status !== 'confirmed') {
        const round = await startRound(dying, scene.deployment)
        await trackIntents(dying, round)
        await prepareIntents(dying, round)
        await sendIntents(dying, round)
      }
      expect(scene.notified).to.deep.equal([])
      await scene.drain()
      expect(scene.notified).to.deep.equal(['SVC-k'])
    })
  })

  it('begins no further notification after two seconds of a round', async () => {
    scene = await openScene(stage)
    await scene.registerAgent('SVC-m', owner.address, null)
    await scene.registerAgent('SVC-n', owner.address, null)
    const relayer = await scene.freshRelayer()
    let notified = 0
    const transfer = {
      ...relayer.handlers['identity.transfer'],
      async notifyConfirmed() {
        notified += 1
        scene.clock.now += 3_000
      },
    }
    const slow = { ...relayer, handlers: { ...relayer.handlers, 'identity.transfer': transfer } }
    const ofRounds: number[] = []
    while ((await scene.stores.outbox.backlog()) > 0) {
      const before = notified
      await relayOnce(slow, scene.deployment)
      ofRounds.push(notified - before)
    }
    expect(ofRounds.filter((count) => count > 0)).to.deep.equal([1, 1])
  })

  it('does nothing while another process holds the lease', async () => {
    scene = await openScene(stage)
    await scene.registerAgent('SVC-l', owner.address, null)
    await scene.freshRelayer('first')
    const second = await scene.freshRelayer('second')
    const refused = await relayOnce(second, scene.deployment).then(
      () => null,
      (error: Error) => error.message,
    )
    expect(refused).to.equal('the relayer lease was lost')
    expect((await scene.mintIntent('SVC-l'))?.status).to.equal('queued')
    scene.clock.now += 60_000
    await scene.drain(await scene.freshRelayer('second'))
    expect((await scene.agents.bySvcId('SVC-l'))?.blockchainStatus).to.equal('verified')
  })
})
