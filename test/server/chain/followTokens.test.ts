import { expect } from 'chai'
import type { Hex } from 'viem'
import { followTokens } from '../../../server/services/chain/followTokens.ts'
import { createAgentStore } from '../../../server/store/agents/agentStore.ts'
import { createTokenStore } from '../../../server/store/agents/tokenStore.ts'
import { openScene, type Scene } from '../services/relayer/openScene.ts'
import { openStage, type Stage } from '../services/relayer/openStage.ts'

const ADA: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const BEA: Hex = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

describe('following the identity registry', () => {
  let stage: Stage
  let scene: Scene
  let told: string[]

  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())
  beforeEach(async () => {
    told = []
    scene = await openScene(stage)
    for (const svcId of ['SVC-a', 'SVC-b']) await scene.registerAgent(svcId, ADA, null)
    await scene.drain()
  })
  afterEach(() => scene.close())

  const follow = async ({ confirmations = 1, fails = false, isRelayer = true } = {}) => {
    const { identity, relayerAddress, readHead: head } = stage.chain
    return followTokens({
      db: scene.db,
      agents: createAgentStore(scene.db.query),
      tokens: createTokenStore(scene.db.query),
      chain: {
        deployment: async () => (isRelayer ? scene.deployment : null),
        finalBlock: async () => (await head()).number - confirmations + 1,
        changesIn: (registry, blocks) => identity.readChanges(registry, relayerAddress, blocks),
      },
      async onTokenChanged(svcId) {
        if (fails) throw new Error('killed')
        told.push(svcId)
      },
    })
  }
  const send = (data: Hex) =>
    stage.rpc('eth_sendTransaction', [{ from: ADA, to: scene.deployment.identityRegistry, data }])

  it('reports each agent whose token changed once, and no other agent', async () => {
    await send(stage.chain.identity.encodeRegisterEmpty())
    expect(await follow()).to.be.greaterThan(0)
    expect(told.sort()).to.deep.equal(['SVC-a', 'SVC-b'])
    expect(await follow()).to.equal(0)
    const agent = await scene.agents.bySvcId('SVC-b')
    await send(stage.chain.identity.encodeTransfer(ADA, BEA, BigInt(agent?.chainAgentId ?? 0)))
    told = []
    expect(await follow()).to.equal(1)
    expect(told).to.deep.equal(['SVC-b'])
  })

  it('repeats the blocks during which it was killed', async () => {
    expect(await follow({ fails: true }).catch((error: Error) => error.message)).to.equal('killed')
    expect(told).to.deep.equal([])
    await follow()
    expect(told.length).to.equal(2)
  })

  it('waits until a block is final', async () => {
    await follow()
    told = []
    const agent = await scene.agents.bySvcId('SVC-a')
    await send(stage.chain.identity.encodeTransfer(ADA, BEA, BigInt(agent?.chainAgentId ?? 0)))
    expect(await follow({ confirmations: 3 })).to.equal(0)
    await stage.mine(2)
    expect(await follow({ confirmations: 3 })).to.equal(1)
    expect(told).to.deep.equal(['SVC-a'])
  })

  it('does nothing in a process without the relayer lease', async () => {
    expect(await follow({ isRelayer: false })).to.equal(0)
    expect(told).to.deep.equal([])
  })
})
