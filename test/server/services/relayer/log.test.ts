import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

describe('the log of the relayer', () => {
  let stage: Stage
  let scene: Scene
  let snapshot: unknown
  const owner = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())
  beforeEach(async () => {
    scene = await openScene(stage)
    snapshot = await stage.rpc('evm_snapshot')
  })
  afterEach(async () => {
    await stage.rpc('evm_setAutomine', [true])
    await stage.rpc('evm_revert', [snapshot])
    await scene.close()
  })

  const relay = async () => relayOnce(await scene.freshRelayer(), scene.deployment)
  const register = (svcId: string) => scene.registerAgent(svcId, owner.address, null)
  const lineOf = (text: string) => scene.logged.find((line) => line.text === text)
  const sentBy = () =>
    scene.db.query('relayer_transactions').select('hash', 'nonce', 'max_fee_per_gas').orderBy('signed_at')

  it('names intent, transaction and block of a final intent', async () => {
    await register('SVC-a')
    await scene.drain()
    const agent = await scene.agents.bySvcId('SVC-a')
    expect(lineOf('confirmed')).to.deep.equal({
      level: 'info',
      text: 'confirmed',
      fields: { intent: 'mint:SVC-a', hash: agent?.chainTransaction, block: agent?.chainBlock },
    })
  })

  it('states what a replacement may cost', async () => {
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-b')
    await relay()
    scene.clock.now += 6_000
    await relay()
    const [, dearer] = await sentBy()
    expect(lineOf('replaced')).to.deep.equal({
      level: 'warn',
      text: 'replaced',
      fields: { intent: 'mint:SVC-b', nonce: dearer.nonce, maxFeePerGas: String(dearer.max_fee_per_gas) },
    })
  })

  it('reports that another transaction took the nonce, in the outbox as well', async () => {
    await stage.rpc('evm_setAutomine', [false])
    await register('SVC-c')
    await relay()
    const block = (await stage.rpc('eth_getBlockByNumber', ['pending', false])) as { transactions: string[] }
    for (const hash of block.transactions) await stage.rpc('hardhat_dropTransaction', [hash])
    const me = stage.chain.relayerAddress
    await stage.rpc('eth_sendTransaction', [{ from: me, to: me }])
    await stage.mine(1)
    await stage.rpc('evm_setAutomine', [true])
    const [{ nonce }] = await sentBy()
    await scene.drain()
    scene.clock.now += 1_000
    await scene.drain()
    const text = `nonce ${nonce} was used by another transaction`
    expect(lineOf(text)).to.deep.equal({ level: 'warn', text, fields: { intent: 'mint:SVC-c', nonce } })
  })

  it('reports which intents a removed block affected', async () => {
    scene = await reopened({ confirmations: 3 })
    await register('SVC-d')
    const before = await stage.rpc('evm_snapshot')
    await relay()
    await relay()
    const { minedBlock } = (await scene.mintIntent('SVC-d')) ?? {}
    await stage.rpc('evm_revert', [before])
    await relay()
    expect(lineOf('a mined transaction has left the chain')).to.deep.equal({
      level: 'warn',
      text: 'a mined transaction has left the chain',
      fields: { intent: 'mint:SVC-d', block: minedBlock },
    })
  })

  it('reports a deeper reorganisation than expected and the affected intents, newest first', async () => {
    await register('SVC-e')
    const before = await stage.rpc('evm_snapshot')
    await scene.drain()
    const { minedBlock } = (await scene.mintIntent('SVC-e')) ?? {}
    await stage.rpc('evm_revert', [before])
    await stage.mine(6)
    await relay()
    const text = 'a final transaction has left the chain: the reorganisation is deeper than expected'
    const lines = scene.logged.filter((line) => line.text === text)
    expect(lines).to.have.length(2)
    expect(lines[0]).to.have.nested.property('fields.intent', 'transfer:SVC-e')
    expect(lines[1]).to.deep.equal({
      level: 'warn',
      text,
      fields: { intent: 'mint:SVC-e', block: minedBlock },
    })
  })

  it('reports why an intent is paused, and why one is abandoned', async () => {
    scene = await reopened({ maxFeePerGas: 1n })
    await register('SVC-f')
    await relay()
    const [waiting] = scene.logged
    expect(waiting).to.deep.include({ level: 'warn', fields: { intent: 'mint:SVC-f' } })
    expect(waiting?.text).to.match(/^gas costs \d+ wei, more than allowed$/)

    scene = await reopened()
    await scene.registerAgent('SVC-g', owner.address, null)
    const payload = { svcId: 'SVC-g', owner: owner.address, agentURI: 'x', consent: null }
    const metadata = [{ metadataKey: 'agentWallet', metadataValue: '0x00' }]
    await scene.db.query('relayer_intents').update({ payload: JSON.stringify({ ...payload, metadata }) })
    await relay()
    const { lastError } = (await scene.mintIntent('SVC-g')) ?? {}
    expect(lineOf('failed permanently')).to.deep.equal({
      level: 'warn',
      text: 'failed permanently',
      fields: { intent: 'mint:SVC-g', why: lastError },
    })
  })

  it('reports the response of the node to a rejected transaction', async () => {
    await register('SVC-h')
    const relayer = await scene.freshRelayer()
    const send = async () => ({ outcome: 'rejected' as const, message: 'no such thing' })
    await relayOnce({ ...relayer, chain: { ...stage.chain, send } }, scene.deployment)
    const [{ nonce }] = await sentBy()
    const text = 'rejected: no such thing'
    expect(lineOf(text)).to.deep.equal({ level: 'warn', text, fields: { intent: 'mint:SVC-h', nonce } })
    expect(await scene.mintIntent('SVC-h')).to.deep.include({
      status: 'signed',
      lastError: text,
      nextAttemptAt: scene.clock.now + 32_000,
    })
  })

  async function reopened(changes: Parameters<typeof openScene>[1] = {}): Promise<Scene> {
    await scene.close()
    return await openScene(stage, changes)
  }
})
