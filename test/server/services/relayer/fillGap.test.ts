import { expect } from 'chai'
import { fillGap } from '../../../../server/services/relayer/fillGap.ts'
import { ME, NOW, OTHER, type Outbox, openOutbox } from './openOutbox.ts'

/** The first nonce that is in no block. */
const NEXT = 5

describe('fillGap', () => {
  let outbox: Outbox
  before(async () => {
    outbox = await openOutbox()
  })
  afterEach(() => outbox.clear())
  after(() => outbox?.remove())

  const fill = () => fillGap(outbox.deps(), outbox.round({ nextNonce: NEXT }))
  const added = () => outbox.stores.outbox.byKey(`fill:${ME}:${NEXT}`)

  it('does nothing for a transaction without a gap below it', async () => {
    expect(await fill()).to.equal(0)
    await outbox.put({ status: 'sent', sender: ME, nonce: NEXT })
    await outbox.put({ status: 'sent', sender: ME, nonce: NEXT + 2 })
    expect(await fill()).to.equal(0)
    expect(await added()).to.equal(null)
  })

  it('ignores nonces of a previous account, and intents without one', async () => {
    await outbox.put({ status: 'sent', sender: OTHER, nonce: NEXT + 2 })
    await outbox.put({ status: 'sent', sender: ME, nonce: null })
    expect(await fill()).to.equal(0)
    expect(await added()).to.equal(null)
  })

  it('requests an empty transaction of a former account whose key it has', async () => {
    await outbox.put({ status: 'sent', sender: OTHER, nonce: 9 })
    const others = [{ sender: OTHER, nextNonce: 8, finalNonce: 8 }]
    expect(await fillGap(outbox.deps(), outbox.round({ others }))).to.equal(1)
    const { payload } = (await outbox.stores.outbox.byKey(`fill:${OTHER}:8`)) ?? {}
    expect(payload).to.deep.equal({ nonce: 8, sender: OTHER })
  })

  for (const status of ['signed', 'sent']) {
    it(`requests an empty transaction below one that is ${status}`, async () => {
      await outbox.put({ status, sender: ME, nonce: NEXT + 2 })
      await outbox.put({ status, sender: ME, nonce: null })
      await outbox.put({ status: 'sent', sender: OTHER, nonce: 1 })
      expect(await fill()).to.equal(1)
      expect(await added()).to.deep.include({
        kind: 'nonce.fill',
        status: 'queued',
        payload: { nonce: NEXT, sender: ME },
        nextAttemptAt: NOW,
      })
    })
  }

  it('requests it once while it is pending, and again if the same nonce is free after all', async () => {
    await outbox.put({ status: 'sent', sender: ME, nonce: NEXT + 2 })
    expect(await fill()).to.equal(1)
    expect(await fill()).to.equal(0)
    const asked = await added()
    const { stores, whileLeaseHeld } = outbox.deps()
    await whileLeaseHeld((trx) =>
      stores.outbox.markFailed(trx, asked?.id ?? 0, 'another nonce was free', NOW),
    )
    expect(await fill()).to.equal(1)
    expect(await added()).to.deep.include({ id: asked?.id, status: 'queued', isSettled: false })
  })

  it('resends its own transaction that was final, each time it is due', async () => {
    await outbox.put({ status: 'sent', sender: ME, nonce: NEXT + 1 })
    const lost = await outbox.put({ status: 'confirmed', sender: ME, nonce: NEXT, settled_at: NOW })
    await outbox.putTransaction(lost, { sentAt: NOW - 999 })
    expect(await fill()).to.equal(0)
    outbox.clock.now += 1
    expect(await fill()).to.equal(1)
    expect(outbox.sent).to.deep.equal([`0xraw${lost}`])
    expect(outbox.logged).to.deep.equal([
      {
        level: 'warn',
        text: 'resending a final transaction that the chain has lost',
        fields: { nonce: NEXT, hash: `0xhash${lost}` },
      },
    ])
    outbox.clock.now += 999
    expect(await fill()).to.equal(0)
    outbox.clock.now += 1
    expect(await fill()).to.equal(1)
    expect(await added()).to.equal(null)
  })

  it('sends it with higher fees once it is old enough, and leaves its intent as it is', async () => {
    await outbox.put({ status: 'sent', sender: ME, nonce: NEXT + 1 })
    const lost = await outbox.put({ status: 'confirmed', sender: ME, nonce: NEXT, settled_at: NOW })
    const before = await outbox.row(lost)
    await outbox.putTransaction(lost, { sentAt: NOW - 5_000, signedAt: NOW - 5_000 })
    expect(await fill()).to.equal(1)
    outbox.clock.now += 1_000
    expect(await fill()).to.equal(1)
    expect(outbox.sent, 'the replacement, twice').to.deep.equal(Array(2).fill(`0xraw${lost}again`))
    expect(await outbox.row(lost)).to.deep.equal(before)
  })

  it('reports that higher fees would exceed the cap, and sends it unchanged', async () => {
    await outbox.put({ status: 'sent', sender: ME, nonce: NEXT + 1 })
    const lost = await outbox.put({ status: 'confirmed', sender: ME, nonce: NEXT, settled_at: NOW })
    await outbox.putTransaction(lost, { sentAt: null, signedAt: NOW - 5_000, maxFeePerGas: 100n })
    expect(await fill()).to.equal(1)
    expect(outbox.sent).to.deep.equal([`0xraw${lost}`])
    expect(outbox.logged[0]?.fields).to.include({ problem: 'a replacement would cost more than allowed' })
  })

  it('immediately sends one that no node ever accepted', async () => {
    await outbox.put({ status: 'sent', sender: ME, nonce: NEXT + 1 })
    const lost = await outbox.put({ status: 'confirmed', sender: ME, nonce: NEXT, settled_at: NOW })
    await outbox.putTransaction(lost, { sentAt: null })
    expect(await fill()).to.equal(1)
    expect(outbox.sent).to.have.length(1)
  })
})
