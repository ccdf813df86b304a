import { expect } from 'chai'
import { getAddress } from 'viem'
import { intentKey } from '../../../../../server/services/relayer/intents.ts'
import { openScene, type Scene } from '../openScene.ts'
import { openStage, type Stage } from '../openStage.ts'

const WALLET = getAddress('0x00000000000000000000000000000000000000aa')
/** Returns the magic value of ERC-1271. */
const ACCEPT = '631626ba7e60e01b60005260206000f3'
const CONSENT = { deadline: '4000000000', signature: '0x00' } as const

describe('mintIdentity, with the consent of a contract', function () {
  this.timeout(60_000)
  let stage: Stage
  let scene: Scene
  before(async () => {
    stage = await openStage()
  })
  after(() => stage?.close())
  beforeEach(async () => {
    scene = await openScene(stage)
  })
  afterEach(() => scene.close())

  /** Mints for an owner with this code. @returns The owner of the token, and whether the relayer had it first. */
  const mintFor = async (code: string) => {
    await stage.rpc('hardhat_setCode', [WALLET, `0x${code}`])
    await scene.registerAgent('SVC-a', WALLET, CONSENT)
    await scene.drain()
    const { number } = await stage.chain.readHead()
    const token = await stage.chain.identity.readToken(scene.deployment.identityRegistry, 1n, number)
    const wasTransferred = (await scene.stores.outbox.byKey(intentKey.transfer('SVC-a'))) !== null
    return { owner: token?.owner, wasTransferred }
  }

  it('mints to a contract that accepts', async () => {
    expect(await mintFor(ACCEPT)).to.deep.equal({ owner: WALLET, wasTransferred: false })
  })

  it('pays for no contract that would need more than two million gas, and transfers the token to it', async () => {
    // Accepts if more than 2,000,000 gas is left: PUSH3, GAS, GT, PUSH1 12, JUMPI, PUSH0, PUSH0, REVERT, JUMPDEST.
    const expensive = `621e84805a11600c575f5ffd5b${ACCEPT}`
    expect(await mintFor(expensive)).to.deep.equal({ owner: WALLET, wasTransferred: true })
  })

  it('is not held up by a contract that would run forever', async () => {
    expect(await mintFor('5b600056')).to.deep.equal({ owner: WALLET, wasTransferred: true })
  })
})
