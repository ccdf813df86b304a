import { expect } from 'chai'
import type { Hex, Receipt } from '../../../../server/chain/chainTypes.ts'
import type { IntentHandler } from '../../../../server/services/relayer/intentHandler.ts'
import type { RelayerPolicy } from '../../../../server/services/relayer/relayerDeps.ts'
import { trackIntents } from '../../../../server/services/relayer/trackIntents.ts'
import { HEAD, IDLE, ME, NOW, OTHER, type Outbox, openOutbox } from './openOutbox.ts'

const BLOCK = { number: 10, hash: '0xb10' as Hex }

describe('trackIntents', () => {
  let outbox: Outbox
  /** The functions of a handler that were called. */
  let called: string[]
  before(async () => {
    outbox = await openOutbox()
  })
  beforeEach(() => {
    called = []
  })
  afterEach(() => outbox.clear())
  after(() => outbox?.remove())

  const hearing = (more: Partial<IntentHandler> = {}): IntentHandler => ({
    ...IDLE,
    resultOf: () => 'read',
    whenMined: async (_trx, { result }) => void called.push(`mined ${result}`),
    whenUnmined: async () => void called.push('unmined'),
    whenConfirmed: async () => void called.push('confirmed'),
    whenFailed: async () => void called.push('failed'),
    notifyUndone: async () => void called.push('taken back'),
    ...more,
  })
  const track = (handler: IntentHandler = IDLE, policy: Partial<RelayerPolicy> = {}, finalNonce = 5) =>
    trackIntents(outbox.deps({ 'nonce.fill': handler }, policy), outbox.round({ finalNonce }))
  const receiptOf = (hash: string, changes: Partial<Receipt> = {}): Receipt => ({
    hash: hash as Hex,
    block: BLOCK.number,
    blockHash: BLOCK.hash,
    succeeded: true,
    cost: 7_000_000_000n,
    contractAddress: null,
    logs: [],
    ...changes,
  })
  /** A row whose transaction was found in a block earlier. */
  const mined = async (changes: Partial<Receipt> = {}, columns = {}) => {
    outbox.receipts.set('0xh', receiptOf('0xh', changes))
    const place = { mined_hash: '0xh', mined_block: BLOCK.number, mined_block_hash: BLOCK.hash }
    return outbox.put({ status: 'mined', sender: ME, nonce: 5, ...place, ...columns })
  }
  /** Runs `track`, and again after the time for which a lost nonce is searched. */
  const trackTwice = async (...[handler, policy, finalNonce]: Parameters<typeof track>) => {
    outbox.blocks.set(HEAD.number, HEAD.hash)
    const moved = await track(handler, policy, finalNonce)
    outbox.clock.now += 1_000
    return moved + (await track(handler, policy, finalNonce))
  }
  const expectUntroubled = () =>
    expect(outbox.logged.filter(({ text }) => text === 'an intent could not be processed')).to.deep.equal([])

  for (const status of ['signed', 'sent']) {
    it(`finds the block of an intent that is ${status}, whichever of its transactions was mined`, async () => {
      const key = await outbox.put({ status, sender: ME, nonce: 5 })
      await outbox.putTransaction(key, { hash: '0xformer', signedAt: NOW - 10 })
      await outbox.putTransaction(key, { hash: '0xdearer', costGwei: 9 })
      outbox.receipts.set('0xformer', receiptOf('0xformer'))
      expect(await track(hearing())).to.equal(1)
      expect(await outbox.row(key)).to.deep.include({
        status: 'mined',
        minedHash: '0xformer',
        minedBlock: BLOCK.number,
        minedBlockHash: BLOCK.hash,
        result: 'read',
      })
      expect(called).to.deep.equal(['mined read'])
      expect(await outbox.stores.transactions.costSince(0)).to.equal(7)
    })
  }

  it('finds sent intents however many mined ones wait for their depth', async () => {
    outbox.receipts.set('0xh', receiptOf('0xh'))
    const place = { mined_hash: '0xh', mined_block: BLOCK.number, mined_block_hash: BLOCK.hash }
    for (let nth = 0; nth < 100; nth += 1) {
      await outbox.put({ status: 'mined', sender: OTHER, nonce: nth, ...place })
    }
    const key = await outbox.put({ status: 'sent', sender: ME, nonce: 5 })
    await outbox.putTransaction(key, { hash: '0xsent' })
    outbox.receipts.set('0xsent', receiptOf('0xsent'))
    expect(await track(IDLE, { confirmations: 12 })).to.equal(1)
    expect((await outbox.row(key)).status).to.equal('mined')
  })

  it('records a reverted one as mined, without effects', async () => {
    for (const handler of [IDLE, hearing()]) {
      const key = await outbox.put({ status: 'sent', sender: ME, nonce: 5 })
      await outbox.putTransaction(key, { hash: '0xh' })
      outbox.receipts.set('0xh', receiptOf('0xh', { succeeded: false }))
      expect(await track(handler)).to.equal(1)
      expect(await outbox.row(key)).to.deep.include({ status: 'mined', result: null })
      expectUntroubled()
      await outbox.clear()
    }
    expect(called).to.deep.equal(['unmined'])
  })

  it('reverts an intent that is in no block any more', async () => {
    for (const handler of [IDLE, hearing()]) {
      const key = await mined()
      outbox.receipts.clear()
      expect(await track(handler)).to.equal(1)
      expect(await outbox.row(key)).to.deep.include({ status: 'sent', minedHash: null, minedBlockHash: null })
      expectUntroubled()
      await outbox.clear()
    }
    expect(called).to.deep.equal(['unmined', 'taken back'])
  })

  it('prepares an intent again if it lost its nonce permanently, and waits while it may still be mined', async () => {
    const [lost, open] = [
      await outbox.put({ status: 'sent', sender: ME, nonce: 4 }),
      await outbox.put({ status: 'sent', sender: ME, nonce: 5 }),
    ]
    const without = await outbox.put({ status: 'sent', sender: ME, nonce: null, next_attempt_at: NOW - 7 })
    expect(await trackTwice()).to.equal(1)
    expect(await outbox.row(lost)).to.deep.include({
      status: 'queued',
      sender: null,
      nonce: null,
      lastError: 'nonce 4 was used by another transaction',
      nextAttemptAt: NOW + 1_000,
    })
    expect(await outbox.row(open)).to.deep.include({ status: 'sent', nonce: 5, lastError: null })
    expect(await outbox.row(without)).to.deep.include({ status: 'sent', nextAttemptAt: NOW - 7 })
    expect(outbox.asked).to.deep.equal(['blockHash 10'])
  })

  it('searches for a receipt for a while, and through a node that has the head, before it prepares again', async () => {
    const key = await outbox.put({ status: 'sent', sender: ME, nonce: 4 })
    const waiting = { status: 'sent', nonce: 4, lastError: 'nonce 4 was used by another transaction' }
    outbox.blocks.set(HEAD.number, HEAD.hash)
    expect(await track()).to.equal(0)
    expect(await outbox.row(key)).to.deep.include({ ...waiting, nextAttemptAt: NOW + 1_000 })
    outbox.clock.now += 999
    expect(await track()).to.equal(0)
    outbox.clock.now += 1
    outbox.blocks.clear()
    expect(await track()).to.equal(0)
    expect(await outbox.row(key)).to.deep.include({ ...waiting, nextAttemptAt: NOW + 1_000 })
    await outbox.putTransaction(key, { hash: '0xh' })
    outbox.receipts.set('0xh', receiptOf('0xh'))
    expect(await track()).to.equal(1)
    expect(await outbox.row(key)).to.deep.include({ status: 'mined', lastError: null })
    expect(outbox.logged).to.deep.equal([])
  })

  it('queries the nonces of a previous account, about which ours say nothing', async () => {
    const former = await outbox.put({ status: 'sent', sender: OTHER, nonce: 7 })
    outbox.counts.set(OTHER, 7)
    expect(await trackTwice(IDLE, {}, 100)).to.equal(0)
    expect((await outbox.row(former)).status).to.equal('sent')
    outbox.counts.set(OTHER, 8)
    expect(await trackTwice(IDLE, {}, 0)).to.equal(1)
    expect((await outbox.row(former)).status).to.equal('queued')
    const counts = outbox.asked.filter((question) => question !== 'blockHash 10')
    expect(counts).to.deep.equal(Array(4).fill(`transactionCount ${OTHER} 10`))
  })

  it('immediately prepares an unfinished intent of a previous account again if the contract accepts it only once', async () => {
    const [ours, former] = [
      await outbox.put({ status: 'sent', sender: ME, nonce: 7 }),
      await outbox.put({ status: 'sent', sender: OTHER, nonce: 7 }),
    ]
    expect(await track(hearing({ isOrdered: true }))).to.equal(1)
    expect((await outbox.row(ours)).status).to.equal('sent')
    expect(await outbox.row(former)).to.deep.include({
      status: 'queued',
      sender: null,
      nonce: null,
      lastError: `the account ${OTHER} is no longer the relayer`,
    })
    expect(outbox.asked).to.deep.equal([])
  })

  it('lets a former account whose key it has finish such an intent, unless that account cannot pay', async () => {
    const key = await outbox.put({ status: 'sent', sender: OTHER, nonce: 7 })
    const others = [{ sender: OTHER, nextNonce: 7, finalNonce: 7 }]
    const look = () =>
      trackIntents(outbox.deps({ 'nonce.fill': hearing({ isOrdered: true }) }), outbox.round({ others }))
    expect(await look()).to.equal(0)
    await outbox.db.query('relayer_intents').update({ last_error: 'insufficientFunds: too little' })
    expect(await look()).to.equal(1)
    expect((await outbox.row(key)).status).to.equal('queued')
  })

  it('treats an intent without a sender as its own', async () => {
    const key = await outbox.put({ status: 'sent', sender: null, nonce: 4 })
    expect(await trackTwice()).to.equal(1)
    expect((await outbox.row(key)).status).to.equal('queued')
    expect(outbox.asked).to.deep.equal(['blockHash 10'])
  })

  it('does not consider a receipt alone as final', async () => {
    const key = await mined()
    expect(await track()).to.equal(0)
    expect((await outbox.row(key)).status).to.equal('mined')
    outbox.blocks.set(BLOCK.number, '0xanother')
    expect(await track()).to.equal(1)
    expect((await outbox.row(key)).status).to.equal('sent')
  })

  it('considers an intent final at sufficient depth, and settled unless a notification is pending', async () => {
    outbox.blocks.set(BLOCK.number, BLOCK.hash)
    const early = await mined()
    expect(await track(IDLE, { confirmations: 2 })).to.equal(0)
    expect((await outbox.row(early)).status).to.equal('mined')
    expect(await track()).to.equal(1)
    expect(await outbox.row(early)).to.deep.include({ status: 'confirmed', isSettled: true })
    expect(outbox.logged).to.deep.equal([
      { level: 'info', text: 'confirmed', fields: { intent: early, hash: '0xh', block: BLOCK.number } },
    ])
    const unnotified = await mined({}, { nonce: 6 })
    expect(await track(hearing({ notifyConfirmed: async () => undefined }))).to.equal(1)
    expect(await outbox.row(unnotified)).to.deep.include({ status: 'confirmed', isSettled: false })
    expect(called).to.deep.equal(['confirmed'])
    expectUntroubled()
  })

  describe('reverted, and final', () => {
    const reverted = async (attempts: number, handler: IntentHandler) => {
      outbox.blocks.set(BLOCK.number, BLOCK.hash)
      const key = await mined({ succeeded: false }, { attempts })
      expect(await track(handler)).to.equal(1)
      expectUntroubled()
      return { key, row: await outbox.row(key) }
    }
    const lastError = 'transaction 0xh was reverted'

    for (const [attempts, pauseMs] of [
      [1, 1_000],
      [3, 4_000],
      [7, 64_000],
    ] as const) {
      it(`is retried ${pauseMs / 1000} s after attempt ${attempts}`, async () => {
        const { key, row } = await reverted(attempts, hearing())
        const nextAttemptAt = NOW + pauseMs
        expect(row).to.deep.include({ status: 'queued', nonce: null, lastError, nextAttemptAt })
        expect(called).to.deep.equal(['taken back'])
        expect(outbox.logged).to.deep.equal([
          { level: 'warn', text: lastError, fields: { intent: key, attempts } },
        ])
      })
    }

    it('is abandoned after attempt 8, with the dependent state, if any', async () => {
      const given = { status: 'failed', lastError, isSettled: true }
      expect((await reverted(8, IDLE)).row).to.deep.include(given)
      await outbox.clear()
      expect((await reverted(8, hearing())).row).to.deep.include(given)
      expect(called).to.deep.equal(['failed', 'taken back'])
    })

    it('is never abandoned if later ones depend on it', async () => {
      const { row } = await reverted(8, hearing({ isOrdered: true }))
      expect(row).to.deep.include({ status: 'queued', lastError })
      expect(called).to.deep.equal(['taken back'])
    })
  })
})
