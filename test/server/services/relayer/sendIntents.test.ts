import { expect } from 'chai'
import type { SendResult } from '../../../../server/chain/chainTypes.ts'
import type { RelayerPolicy } from '../../../../server/services/relayer/relayerDeps.ts'
import { sendIntents } from '../../../../server/services/relayer/sendIntents.ts'
import { ME, NOW, OTHER, type Outbox, openOutbox } from './openOutbox.ts'

const LONG_AGO = NOW - 60_000

describe('sendIntents', () => {
  let outbox: Outbox
  before(async () => {
    outbox = await openOutbox()
  })
  afterEach(() => outbox.clear())
  after(() => outbox?.remove())

  const send = (policy: Partial<RelayerPolicy> = {}, cap = 100n) =>
    sendIntents(outbox.deps({}, policy), outbox.round({ market: { baseFee: 1n, tip: 0n, cap } }))
  const signed = async (nonce: number, columns = {}) =>
    outbox.put({ status: 'signed', sender: ME, nonce, ...columns })

  it('skips intents without a nonce or a transaction, and sends the others', async () => {
    await outbox.put({ status: 'signed', sender: ME, nonce: null })
    await signed(4)
    const key = await signed(5)
    await outbox.putTransaction(key)
    expect(await send()).to.equal(1)
    expect(outbox.sent).to.deep.equal([`0xraw${key}`])
  })

  it('sends a signed intent however recently it was sent before, and leaves the rest of its row unchanged', async () => {
    const key = await signed(5, { next_attempt_at: NOW - 7, last_error: 'away' })
    await outbox.putTransaction(key, { sentAt: NOW })
    expect(await send()).to.equal(1)
    expect(await outbox.row(key)).to.deep.include({
      status: 'sent',
      lastError: null,
      nextAttemptAt: NOW - 7,
    })
  })

  it('sends in the order of nonces, and not before an intent is due', async () => {
    const [later, first] = [await signed(6), await signed(5)]
    const deferred = await signed(7, { next_attempt_at: NOW + 1 })
    for (const key of [later, first, deferred]) await outbox.putTransaction(key)
    expect(await send()).to.equal(2)
    expect(outbox.sent).to.deep.equal([`0xraw${first}`, `0xraw${later}`])
  })

  it('defers one, without a pause, if the node requires earlier ones first', async () => {
    const key = await signed(5, { next_attempt_at: NOW - 7 })
    await outbox.putTransaction(key)
    outbox.node.answer = { outcome: 'nonceTooHigh' }
    expect(await send()).to.equal(0)
    expect(await outbox.row(key)).to.deep.include({
      status: 'signed',
      lastError: 'the node requires the transactions before nonce 5 first',
      nextAttemptAt: NOW,
    })
    expect(outbox.logged).to.deep.equal([])
  })

  for (const outcome of ['known', 'nonceTooLow', 'underpriced'] as const) {
    it(`counts one as sent if the node responds “${outcome}”`, async () => {
      const key = await signed(5)
      await outbox.putTransaction(key)
      outbox.node.answer = { outcome } satisfies SendResult
      expect(await send()).to.equal(1)
      expect((await outbox.row(key)).status).to.equal('sent')
    })
  }

  const waiting = async (transaction: { sender?: string; costGwei?: number } = {}) => {
    const { sender = ME } = transaction
    const key = await outbox.put({ status: 'sent', sender, nonce: 5 })
    await outbox.putTransaction(key, { signedAt: LONG_AGO, sentAt: LONG_AGO, ...transaction })
    return key
  }

  it('replaces its own blocking transaction, and counts it', async () => {
    const key = await waiting()
    expect(await send()).to.equal(1)
    expect(outbox.sent).to.deep.equal([`0xraw${key}again`])
    expect(await outbox.row(key)).to.deep.include({ status: 'sent', lastError: null })
  })

  it('replaces a due one that no node accepts because gas has become more expensive', async () => {
    const key = await signed(5)
    await outbox.putTransaction(key, { signedAt: NOW - 5_000, sentAt: null, maxFeePerGas: 8n })
    const sendAt = (baseFee: bigint) =>
      sendIntents(outbox.deps(), outbox.round({ market: { baseFee, tip: 0n, cap: 100n } }))
    outbox.node.answer = { outcome: 'rejected', message: 'max fee per gas less than block base fee' }
    for (const baseFee of [8n, 9n]) {
      await sendAt(baseFee)
      outbox.clock.now += 32_000
    }
    expect(outbox.sent).to.deep.equal([`0xraw${key}`, `0xraw${key}again`])
    outbox.sent.length = 0
    const young = await signed(4)
    await outbox.putTransaction(young, { signedAt: outbox.clock.now - 4_999, sentAt: null, maxFeePerGas: 8n })
    outbox.node.answer = { outcome: 'accepted' }
    await sendAt(9n)
    expect(outbox.sent).to.deep.equal([`0xraw${young}`, `0xraw${key}againagain`])
  })

  it('replaces a rejected one like one that is not mined, and sends an empty one if no price helps', async () => {
    const key = await signed(5, { kind: 'identity.mint' })
    await outbox.putTransaction(key, { sentAt: null })
    outbox.node.answer = { outcome: 'rejected', message: 'not here' }
    for (let nth = 0; nth < 6; nth += 1) {
      await send()
      outbox.clock.now += 32_000
    }
    const raw = `0xraw${key}`
    expect(outbox.sent.map((sent) => sent.replace(raw, ''))).to.deep.equal([
      '',
      'again',
      'againagain',
      'againagainempty',
      'againagainemptyagain',
      'againagainemptyagainagain',
    ])
    expect((await outbox.row(key)).lastError).to.equal('rejected: not here')
  })

  it('sends an empty one, at the same fees, instead of a rejected one whose fees may not rise', async () => {
    const key = await signed(5, { kind: 'identity.mint' })
    await outbox.putTransaction(key, { sentAt: null })
    outbox.node.answer = { outcome: 'rejected', message: 'not here' }
    for (let nth = 0; nth < 3; nth += 1) {
      await send({ replaceMs: 20_000 }, 8n)
      outbox.clock.now += 32_000
    }
    expect(outbox.sent).to.deep.equal([`0xraw${key}`, `0xraw${key}`, `0xraw${key}empty`])
  })

  it('resends one of a previous account, which it cannot sign', async () => {
    const key = await waiting({ sender: OTHER })
    expect(await send()).to.equal(1)
    expect(outbox.sent).to.deep.equal([`0xraw${key}`])
    expect(outbox.logged).to.deep.equal([])
  })

  it('replaces one of a former account whose key it has, with that key', async () => {
    const key = await waiting({ sender: OTHER })
    const others = [{ sender: OTHER, nextNonce: 5, finalNonce: 5 }]
    expect(await sendIntents(outbox.deps(), outbox.round({ others, nextNonce: 0 }))).to.equal(1)
    expect(outbox.sent).to.deep.equal([`0xraw${key}again`])
    expect(outbox.signers.at(-1)).to.equal(OTHER)
  })

  it('resends the previous one and reports why if a replacement would exceed the cap', async () => {
    const key = await waiting()
    expect(await send({}, 8n)).to.equal(1)
    expect(outbox.sent).to.deep.equal([`0xraw${key}`])
    expect(await outbox.row(key)).to.deep.include({
      status: 'sent',
      lastError: 'a replacement would cost more than allowed',
      nextAttemptAt: NOW,
    })
  })

  it('spends the budget on replacements to the last gwei, and not more', async () => {
    // An eighth above 8 wei per gas is 9, so this gas costs 9 gwei, of which 3 are already spent.
    outbox.node.gasAgain = 1_000_000_000n
    const key = await waiting({ costGwei: 3 })
    expect(await send({ dailyBudgetGwei: 8 })).to.equal(1)
    expect((await outbox.row(key)).lastError).to.equal('the daily budget is spent')
    outbox.clock.now += 1_000
    expect(await send({ dailyBudgetGwei: 9 })).to.equal(1)
    expect(outbox.sent).to.deep.equal([`0xraw${key}`, `0xraw${key}again`])
  })
})
