import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { apiError } from '../../../../server/errors.ts'
import { createRelayer } from '../../../../server/services/relayer/createRelayer.ts'
import type { RelayerDeps } from '../../../../server/services/relayer/relayerDeps.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

/** Longer than any lease. */
const STALL_MS = 60_000

describe('two relayers over one outbox', () => {
  let stage: Stage
  let scene: Scene
  const owner = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())
  beforeEach(async () => {
    scene = await openScene(stage)
    await scene.registerAgent('SVC-a', owner.address, null)
    await scene.sealBatch(1, 0, 3)
  })
  afterEach(() => scene.close())

  const relayerOf = async (holder: string, changes: Partial<RelayerDeps> = {}) =>
    createRelayer({
      relay: { ...(await scene.freshRelayer(holder)), ...changes },
      lease: scene.leaseOf(holder),
      ensure: async () => scene.deployment,
      lowBalance: 0n,
    })
  const expectAllOnce = async () => {
    expect(await scene.stores.outbox.backlog()).to.equal(0)
    expect((await scene.agents.bySvcId('SVC-a'))?.blockchainStatus).to.equal('verified')
    expect(await scene.mintedTimes('SVC-a', [owner.address, stage.chain.relayerAddress])).to.equal(1)
    expect((await scene.anchors.byNumber(1))?.status).to.equal('confirmed')
    const rows = await scene.db.query('relayer_transactions').select('nonce')
    expect(new Set(rows.map(({ nonce }) => nonce)).size).to.equal(rows.length)
  }

  /** The second relayer does all the work while the first is stalled. */
  const stall = async () => {
    scene.clock.now += STALL_MS
    await scene.drain(await scene.freshRelayer('second'))
  }

  it('takes over from one that stalls between signing and storing, which then sends nothing', async () => {
    const first = await scene.freshRelayer('first')
    let sent = 0
    const chain = {
      ...stage.chain,
      async sign(...given: Parameters<typeof stage.chain.sign>) {
        const signed = await stage.chain.sign(...given)
        await stall()
        return signed
      },
      async send(raw: `0x${string}`) {
        sent += 1
        return stage.chain.send(raw)
      },
    }
    const lost = await relayOnce({ ...first, chain }, scene.deployment).catch((error: Error) => error.message)
    expect(lost).to.equal('the relayer lease was lost')
    expect(sent).to.equal(0)
    await expectAllOnce()
  })

  it('takes over from one that stalls between storing and sending, whose sending has no effect', async () => {
    const first = await scene.freshRelayer('first')
    let isStalled = false
    const chain = {
      ...stage.chain,
      async send(raw: `0x${string}`) {
        if (!isStalled) {
          isStalled = true
          await stall()
        }
        return stage.chain.send(raw)
      },
    }
    const lost = await relayOnce({ ...first, chain }, scene.deployment).catch((error: Error) => error.message)
    expect(lost).to.equal('the relayer lease was lost')
    await expectAllOnce()
  })

  it('has one active and one waiting, and swaps them after a stall', async () => {
    const [first, second] = [await relayerOf('first'), await relayerOf('second')]
    await first.round()
    await second.round()
    expect(first.isRelayer()).to.equal(true)
    expect(second.isRelayer()).to.equal(false)
    expect((await second.status()).lastError).to.equal(null)
    scene.clock.now += STALL_MS
    for (let round = 0; round < 10; round += 1) {
      await second.round()
      await first.round()
      scene.clock.now += 1_000
    }
    expect(second.isRelayer()).to.equal(true)
    expect(first.isRelayer()).to.equal(false)
    await expectAllOnce()
  })

  it('has none in a process that cannot reach the database, until it can again', async () => {
    let isLost = false
    const lease = scene.leaseOf('first')
    const relayer = createRelayer({
      relay: await scene.freshRelayer('first'),
      lease: {
        async acquire() {
          if (isLost) throw new Error('no connection')
          return lease.acquire()
        },
        release: lease.release,
      },
      ensure: async () => scene.deployment,
      lowBalance: 0n,
    })
    for (const [lost, expected] of [
      [false, true],
      [true, false],
      [false, true],
    ] as const) {
      isLost = lost
      scene.clock.now += 20_000
      await relayer.round()
      expect(relayer.isRelayer()).to.equal(expected)
    }
  })

  it('looks up the contracts again when it takes over, because another relayer may have changed them', async () => {
    let looks = 0
    const first = await relayerOf('first')
    const second = createRelayer({
      relay: await scene.freshRelayer('second'),
      lease: scene.leaseOf('second'),
      async ensure() {
        looks += 1
        return scene.deployment
      },
      lowBalance: 0n,
    })
    await second.open()
    await first.round()
    await second.round()
    expect([looks, second.isRelayer()]).to.deep.equal([1, false])
    scene.clock.now += STALL_MS
    await second.round()
    expect([looks, second.isRelayer()]).to.deep.equal([2, true])
  })

  it('passes to another process at once if its own is refused the chain, and not for an outage', async () => {
    for (const [failure, isKept] of [
      [new Error('Setting AUDIT_LOG_ADDRESS: …'), false],
      [apiError('CHAIN_UNAVAILABLE', { detail: 'the node is away' }), true],
    ] as const) {
      const refused = createRelayer({
        relay: await scene.freshRelayer('refused'),
        lease: scene.leaseOf('refused'),
        ensure: () => Promise.reject(failure),
        lowBalance: 0n,
      })
      await refused.round()
      const other = await relayerOf('other')
      await other.round()
      expect([refused.isRelayer(), other.isRelayer()]).to.deep.equal([isKept, !isKept])
      scene.clock.now += STALL_MS
    }
  })

  it('forgets a failure of the chain while waiting, and reports the next one', async () => {
    let isAway = false
    const chain = {
      ...stage.chain,
      async readBalance(...given: Parameters<typeof stage.chain.readBalance>) {
        if (isAway) throw apiError('CHAIN_UNAVAILABLE', { detail: 'the node is away' })
        return stage.chain.readBalance(...given)
      },
    }
    const second = await relayerOf('second', { chain })
    const first = await relayerOf('first')
    scene.clock.now += STALL_MS
    await first.round()
    const round = async (away: boolean) => {
      isAway = away
      scene.clock.now += 10_000
      await first.round()
      await second.round()
      return second.status()
    }
    const pauses = () => scene.logged.filter(({ text }) => text === 'the relayer backs off')
    for (const times of [1, 2]) {
      const away = await round(true)
      expect(second.isRelayer()).to.equal(false)
      expect(away).to.deep.include({ reachable: false, lastError: 'the node is away' })
      await round(true)
      expect(pauses()).to.have.length(times)
      scene.clock.now += 20_000
      expect(await round(false)).to.deep.include({ reachable: true, lastError: null })
      expect(second.isRelayer()).to.equal(false)
    }
  })
})
