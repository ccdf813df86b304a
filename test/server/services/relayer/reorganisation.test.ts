import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { ForkWatch } from '../../../../server/services/relayer/preparePoll.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

describe('a reorganisation deeper than the configured depth', () => {
  let stage: Stage
  let scene: Scene
  let watch: ForkWatch
  const owner = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())
  beforeEach(async () => {
    scene = await openScene(stage)
    watch = { last: null }
  })
  afterEach(() => scene.close())

  const relay = async () => relayOnce(await scene.freshRelayer(), scene.deployment, watch)
  const settle = async () => {
    for (let round = 0; round < 40; round += 1) {
      scene.clock.now += 2_000
      if ((await relay()) === 0 && (await scene.stores.outbox.backlog()) === 0) return
    }
    throw new Error(`the relayer does not come to rest: ${await scene.stores.outbox.oldestError()}`)
  }
  const agentOf = async (svcId: string) => {
    const agent = await scene.agents.bySvcId(svcId)
    if (!agent) throw new Error(`no agent ${svcId}`)
    return agent
  }
  const tokenOwner = async (svcId: string) => {
    const { chainAgentId } = await agentOf(svcId)
    return stage.chain.identity.readOwner(scene.deployment.identityRegistry, BigInt(chainAgentId ?? 0))
  }
  const headOfLog = () => stage.chain.auditLog.readHead(scene.deployment.auditLog, scene.deployment.logId)

  /** Two identities, one for each way of minting, and three batches, all final, in at least five blocks. */
  const fill = async () => {
    await scene.registerAgent('SVC-own', owner.address, await scene.consentOf(owner, 'SVC-own', 0n))
    await scene.registerAgent('SVC-given', owner.address, null)
    await settle()
    await scene.sealBatch(1, 0, 4)
    await scene.sealBatch(2, 4, 9)
    await scene.sealBatch(3, 9, 12)
    await settle()
  }

  it('immediately reverts intents that are in no block any more, and restores all of them', async () => {
    const before = await stage.rpc('evm_snapshot')
    const start = (await stage.chain.readHead()).number
    await fill()
    expect((await stage.chain.readHead()).number - start).to.be.at.least(5)
    await stage.rpc('evm_revert', [before])
    await stage.rpc('evm_setAutomine', [false])
    await stage.mine(6)
    await relay()
    for (const svcId of ['SVC-own', 'SVC-given']) {
      expect(await agentOf(svcId)).to.include({ blockchainStatus: 'pending', chainAgentId: null })
    }
    expect((await scene.anchors.byNumber(3))?.status).to.equal('sealed')
    await stage.mine(1)
    await stage.rpc('evm_setAutomine', [true])
    await settle()
    for (const svcId of ['SVC-own', 'SVC-given']) {
      expect(await agentOf(svcId)).to.include({ blockchainStatus: 'verified' })
      expect(await tokenOwner(svcId)).to.equal(owner.address)
      expect(await scene.mintedTimes(svcId, [owner.address, stage.chain.relayerAddress])).to.equal(1)
    }
    expect((await scene.anchors.byNumber(3))?.status).to.equal('confirmed')
    expect((await headOfLog()).batch).to.equal(3)
  })

  it('gives the owner the second token if somebody else took the id of the first', async () => {
    const before = await stage.rpc('evm_snapshot')
    await fill()
    const first = (await agentOf('SVC-given')).chainAgentId
    await stage.rpc('evm_revert', [before])
    const data = stage.chain.identity.encodeRegisterEmpty()
    const [, , stranger] = (await stage.rpc('eth_accounts')) as string[]
    for (const _ of [1, 2, 3]) {
      await stage.rpc('eth_sendTransaction', [
        { from: stranger, to: scene.deployment.identityRegistry, data },
      ])
    }
    await stage.mine(6)
    await settle()
    const agent = await agentOf('SVC-given')
    expect(agent.blockchainStatus).to.equal('verified')
    expect(agent.chainAgentId).to.be.greaterThan(first ?? 0)
    expect(await tokenOwner('SVC-given')).to.equal(owner.address)
  })

  it('is not confused with a lagging node', async () => {
    await fill()
    const before = await stage.rpc('evm_snapshot')
    const { number } = await stage.chain.readHead()
    await stage.mine(3)
    await relay()
    // The same blocks, fewer of them.
    await stage.rpc('evm_revert', [before])
    expect((await stage.chain.readHead()).number).to.equal(number)
    await relay()
    expect(await agentOf('SVC-own')).to.include({ blockchainStatus: 'verified' })
    expect((await scene.anchors.byNumber(3))?.status).to.equal('confirmed')
    expect(await scene.stores.outbox.backlog()).to.equal(0)
  })

  it('does not block later transactions, even if fees have risen and nothing reopens the lost one', async () => {
    const before = await stage.rpc('evm_snapshot')
    await scene.registerAgent('SVC-lost', owner.address, null)
    await settle()
    // As for a failed intent, whose reverted transaction left its nonce behind.
    await scene.db.query('relayer_intents').whereNotNull('settled_at').update({ mined_block: null })
    await stage.rpc('evm_revert', [before])
    await stage.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x174876e800'])
    await stage.mine(1)
    await scene.registerAgent('SVC-next', owner.address, null)
    await settle()
    expect(await agentOf('SVC-next')).to.include({ blockchainStatus: 'verified' })
    expect(await scene.mintedTimes('SVC-lost', [owner.address, stage.chain.relayerAddress])).to.equal(1)
  })

  it('is also detected after a restart', async () => {
    const before = await stage.rpc('evm_snapshot')
    await fill()
    await stage.rpc('evm_revert', [before])
    await stage.mine(40)
    watch = { last: null }
    await settle()
    expect(await agentOf('SVC-own')).to.include({ blockchainStatus: 'verified' })
    expect((await headOfLog()).batch).to.equal(3)
  })
})
