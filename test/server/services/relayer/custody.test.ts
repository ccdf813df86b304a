import { expect } from 'chai'
import { getAddress, type Hex, keccak256, stringToHex, zeroAddress } from 'viem'
import { type IntentPayload, intentKey } from '../../../../server/services/relayer/intents.ts'
import { notifyConfirmed } from '../../../../server/services/relayer/notifications.ts'
import { prepareIntents } from '../../../../server/services/relayer/prepareIntents.ts'
import { sendIntents } from '../../../../server/services/relayer/sendIntents.ts'
import { startRound } from '../../../../server/services/relayer/startRound.ts'
import { trackIntents } from '../../../../server/services/relayer/trackIntents.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

const ADA: Hex = getAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
const URI = 'https://second.svc.test/registration-files/SVC-a.json'
const STEPS = { track: trackIntents, prepare: prepareIntents, send: sendIntents } as const

describe('a token in custody', () => {
  let stage: Stage
  let scene: Scene

  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())
  beforeEach(async () => {
    scene = await openScene(stage)
    await scene.registerAgent('SVC-a', null, null)
    await scene.drain()
  })
  afterEach(() => scene.close())

  const order = (kind: 'identity.handOver' | 'identity.setUri', payload: object) =>
    scene.db.transaction((trx) =>
      scene.stores.outbox.addAgain(trx, {
        idempotencyKey:
          kind === 'identity.handOver' ? intentKey.handOver('SVC-a') : intentKey.setUri('SVC-a'),
        kind,
        payload: { svcId: 'SVC-a', agentId: '1', ...payload },
        now: scene.clock.now,
      }),
    )
  const handOver = (to: IntentPayload<'identity.handOver'>['to']) => order('identity.handOver', { to })
  const setUri = (uri: string) => order('identity.setUri', { uri })
  const token = async () => {
    const { number } = await stage.chain.readHead()
    return stage.chain.identity.readToken(scene.deployment.identityRegistry, 1n, number)
  }
  const intent = (kind: 'handOver' | 'setUri') => scene.stores.outbox.byKey(intentKey[kind]('SVC-a'))
  const nonce = () => stage.chain.readTransactionCount(stage.chain.relayerAddress)
  /** The outbox loses its last step, as in a restored database. */
  const forget = async () => {
    const open = { status: 'queued', nonce: null, sender: null, settled_at: null, mined_hash: null }
    const ids = scene.db.query('relayer_intents').select('id').whereNot({ kind: 'identity.mint' })
    await scene.db.query('relayer_transactions').whereIn('intent_id', ids).delete()
    await scene.db.query('relayer_intents').whereNot({ kind: 'identity.mint' }).update(open)
  }

  it('is minted to the relayer once, and verified without a transfer', async () => {
    const agent = await scene.agents.bySvcId('SVC-a')
    expect(agent).to.deep.include({ blockchainStatus: 'verified', chainAgentId: 1 })
    expect(await token()).to.deep.include({
      owner: stage.chain.relayerAddress,
      wallet: stage.chain.relayerAddress,
    })
    expect(scene.notified).to.deep.equal(['SVC-a'])
    await scene.db.query('relayer_transactions').delete()
    await scene.db.query('relayer_intents').update({ status: 'queued', nonce: null, settled_at: null })
    await scene.drain()
    expect(await scene.mintedTimes('SVC-a', [stage.chain.relayerAddress])).to.equal(1)
    expect(await scene.stores.outbox.byKey(intentKey.transfer('SVC-a'))).to.equal(null)
  })

  it('is transferred and gets another URI once, even if killed between any two steps', async () => {
    const before = await nonce()
    await setUri(URI)
    await scene.drain()
    await handOver(ADA)
    for (let step = 0; step < 8; step += 1) {
      for (const name of ['prepare', 'send', 'track'] as const) {
        const relayer = await scene.freshRelayer()
        await STEPS[name](relayer, await startRound(relayer, scene.deployment))
      }
      await notifyConfirmed(await scene.freshRelayer())
    }
    expect(await scene.stores.outbox.backlog()).to.equal(0)
    expect(await token()).to.deep.equal({ owner: ADA, wallet: null, uri: URI })
    expect(await nonce()).to.equal(before + 2)
    expect(scene.notified).to.deep.equal(['SVC-a', 'SVC-a', 'SVC-a'])
  })

  it('is recognised as transferred, or with its URI, without a row in the outbox', async () => {
    await setUri(URI)
    await scene.drain()
    const uriHash = (await intent('setUri'))?.minedHash
    await handOver(ADA)
    await scene.drain()
    const transferHash = (await intent('handOver'))?.minedHash
    const before = await nonce()
    await forget()
    await scene.drain()
    expect((await intent('setUri'))?.minedHash).to.equal(uriHash)
    expect((await intent('handOver'))?.minedHash).to.equal(transferHash)
    expect(await nonce()).to.equal(before)
  })

  it('needs no transaction if it already points to the URI', async () => {
    const { uri } = (await token()) ?? { uri: '' }
    const before = await nonce()
    await setUri(uri)
    await scene.drain()
    expect(await intent('setUri')).to.deep.include({ status: 'confirmed', isSettled: true })
    expect(await nonce()).to.equal(before)
  })

  it('gets each of several URIs in turn, including an earlier one', async () => {
    const { uri: first } = (await token()) ?? { uri: '' }
    for (const uri of [URI, first, URI]) {
      await setUri(uri)
      await scene.drain()
      expect((await token())?.uri).to.equal(uri)
    }
  })

  it('gets a URI requested during the notification of the previous one, and continues from there', async () => {
    const { uri: first } = (await token()) ?? { uri: '' }
    await setUri(URI)
    const relayer = await scene.freshRelayer()
    for (const name of ['prepare', 'send', 'track', 'track'] as const) {
      await STEPS[name](relayer, await startRound(relayer, scene.deployment))
    }
    expect(await intent('setUri')).to.deep.include({ status: 'confirmed', isSettled: false })
    const [setting] = await scene.stores.outbox.open(['confirmed'], 1)
    await setUri(first)
    // The pending notification ends only now, and settles nothing.
    await scene.db.transaction((trx) => scene.stores.outbox.settle(trx, setting?.id ?? 0, scene.clock.now))
    expect(await intent('setUri')).to.deep.include({ status: 'queued', isSettled: false })
    await scene.drain()
    expect((await token())?.uri).to.equal(first)
    expect(await intent('setUri')).to.deep.include({ status: 'confirmed', isSettled: true })
  })

  it('is not touched if it was transferred elsewhere: the transfer and the URI fail, and can be requested again', async () => {
    await handOver(ADA)
    await scene.drain()
    await handOver(stage.chain.relayerAddress)
    await setUri(URI)
    await scene.drain()
    expect(await intent('handOver')).to.deep.include({
      status: 'failed',
      lastError: `agent 1 belongs to ${ADA}`,
    })
    expect((await intent('setUri'))?.lastError).to.contain('Not authorized')
    const { identity, relayerAddress } = stage.chain
    const data = identity.encodeApprove(relayerAddress, 1n)
    await stage.rpc('eth_sendTransaction', [{ from: ADA, to: scene.deployment.identityRegistry, data }])
    await setUri(URI)
    await scene.drain()
    expect(await token()).to.deep.include({ owner: ADA, uri: URI })
  })

  it('is not handed over while its owner is suspended, but afterwards, and a transfer before the suspension is recognised', async () => {
    const { ownerId } = (await scene.agents.bySvcId('SVC-a')) ?? { ownerId: '' }
    const suspension = { subject_id: ownerId, reason: 'A reason.', decided_by: 'SVCD-a', decided_at: 1 }
    await scene.db.query('interventions').insert(suspension)
    await handOver(ADA)
    await scene.drain()
    expect(await intent('handOver')).to.deep.include({
      status: 'failed',
      lastError: 'the owner of agent 1 is suspended',
    })
    expect((await token())?.owner).to.equal(stage.chain.relayerAddress)
    await scene.db.query('interventions').delete()
    await handOver(ADA)
    await scene.drain()
    expect((await token())?.owner).to.equal(ADA)
    await scene.db.query('interventions').insert(suspension)
    await forget()
    await scene.drain()
    expect((await intent('handOver'))?.status).to.equal('confirmed')
  })

  it('gets no feedback while the relayer may act for it, with the reason, and gets it afterwards', async () => {
    const feedback = async (accountId: string) => {
      const decided = { svcId: 'SVC-a', accountId, decision: 'granted', period: 1 }
      const idempotencyKey = intentKey.feedback(decided)
      await scene.db.transaction((trx) =>
        scene.stores.outbox.add(trx, {
          idempotencyKey,
          kind: 'reputation.feedback',
          payload: {
            ...{ svcId: 'SVC-a', value: 1, tag1: 'svc-decision', tag2: 'granted', feedbackURI: '' },
            feedbackHash: keccak256(stringToHex(accountId)),
          },
          now: scene.clock.now,
        }),
      )
      await scene.drain()
      const { status, lastError } = (await scene.stores.outbox.byKey(idempotencyKey)) ?? {}
      return { status, lastError }
    }
    const { identity, relayerAddress } = stage.chain
    const approve = (spender: Hex) =>
      stage.rpc('eth_sendTransaction', [
        { from: ADA, to: scene.deployment.identityRegistry, data: identity.encodeApprove(spender, 1n) },
      ])
    const refused = {
      status: 'failed',
      lastError: 'the relayer may act for the token of agent 1, so it cannot give feedback',
    }
    expect(await feedback('kept')).to.deep.equal(refused)
    await handOver(ADA)
    await scene.drain()
    await approve(relayerAddress)
    expect(await feedback('approved')).to.deep.equal(refused)
    await approve(zeroAddress)
    expect((await feedback('withdrawn')).status).to.equal('confirmed')
  })

  it('waits for an agent that is no longer final', async () => {
    await scene.db.query('agents').update({ blockchain_status: 'pending' })
    await handOver(ADA)
    await setUri(URI)
    await scene.drain()
    for (const kind of ['handOver', 'setUri'] as const) {
      expect(await intent(kind)).to.deep.include({
        status: 'queued',
        lastError: 'agent 1 is not final on chain',
      })
    }
    await scene.db.query('agents').update({ blockchain_status: 'verified' })
    scene.clock.now += 2_000
    await scene.drain()
    expect((await token())?.owner).to.equal(ADA)
  })
})
