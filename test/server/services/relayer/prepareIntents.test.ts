import { expect } from 'chai'
import type {
  HandlerContext,
  IntentHandler,
  Preparation,
} from '../../../../server/services/relayer/intentHandler.ts'
import { prepareIntents } from '../../../../server/services/relayer/prepareIntents.ts'
import type { RelayerPolicy } from '../../../../server/services/relayer/relayerDeps.ts'
import { ME, NOW, OTHER, type Outbox, openOutbox } from './openOutbox.ts'

const SEND: Preparation = { next: 'send', call: { to: ME, data: '0x' }, gas: 21_000n }

describe('prepareIntents', () => {
  let outbox: Outbox
  /** The intents that the handler was asked to prepare, and with what knowledge. */
  let prepared: { key: string; context: HandlerContext }[]
  before(async () => {
    outbox = await openOutbox()
  })
  beforeEach(() => {
    prepared = []
  })
  afterEach(() => outbox.clear())
  after(() => outbox?.remove())

  const answering = (answer: Preparation, more: Partial<IntentHandler> = {}): IntentHandler => ({
    prepare: async ({ idempotencyKey: key }, context) => {
      prepared.push({ key, context })
      return answer
    },
    ...more,
  })
  const prepare = (handler: IntentHandler, policy: Partial<RelayerPolicy> = {}, mustSearch = false) => {
    const round = outbox.round()
    return prepareIntents(outbox.deps({ 'nonce.fill': handler, 'audit.anchor': handler }, policy), {
      ...round,
      context: { ...round.context, mustSearch },
    })
  }
  const askedFor = () => prepared.map(({ key }) => key)

  it('only queries queued intents while there are none', async () => {
    const deps = outbox.deps()
    const looks: (readonly string[])[] = []
    const open: typeof deps.stores.outbox.open = async (statuses, ...rest) => {
      looks.push(statuses)
      return await outbox.stores.outbox.open(statuses, ...rest)
    }
    const stores = { ...deps.stores, outbox: { ...deps.stores.outbox, open } }
    expect(await prepareIntents({ ...deps, stores }, outbox.round())).to.equal(0)
    expect(new Set(looks.flat())).to.deep.equal(new Set(['queued']))
  })

  it('leaves an intent of a kind of a later release, and prepares those behind it', async () => {
    await outbox.put({ kind: 'of.aLaterRelease' })
    const known = await outbox.put({ kind: 'identity.setUri' })
    const deps = outbox.deps({ 'identity.setUri': answering(SEND) })
    expect(await prepareIntents(deps, outbox.round())).to.equal(1)
    expect(askedFor()).to.deep.equal([known])
  })

  it('counts both signed and sent intents among the sixteen in flight', async () => {
    for (let nth = 1; nth <= 15; nth += 1) {
      await outbox.put({ status: nth <= 7 ? 'signed' : 'sent', sender: ME, nonce: 100 + nth })
    }
    const kind = 'audit.anchor'
    const [first] = [await outbox.put({ kind }), await outbox.put({ kind })]
    expect(await prepare(answering(SEND))).to.equal(1)
    expect(askedFor()).to.deep.equal([first])
  })

  it('has sixteen in addition to those of a previous account', async () => {
    for (let nth = 1; nth <= 16; nth += 1) await outbox.put({ status: 'sent', sender: OTHER, nonce: nth })
    const key = await outbox.put({ kind: 'audit.anchor' })
    expect(await prepare(answering(SEND))).to.equal(1)
    expect(await outbox.row(key)).to.deep.include({ status: 'signed', sender: ME, nonce: 5 })
  })

  it('signs with the former account what only that account may send, within sixteen of its own', async () => {
    const others = [{ sender: OTHER, nextNonce: 3, finalNonce: 3 }]
    const handler = answering({ ...SEND, from: OTHER })
    const deps = outbox.deps({ 'identity.handOver': handler, 'audit.anchor': answering(SEND) })
    for (let nth = 1; nth <= 15; nth += 1)
      await outbox.put({ status: 'sent', sender: OTHER, nonce: 10 + nth })
    const keys = [
      await outbox.put({ kind: 'identity.handOver' }),
      await outbox.put({ kind: 'identity.handOver' }),
    ]
    const anchor = await outbox.put({ kind: 'audit.anchor' })
    expect(
      await prepareIntents(
        { ...deps, chain: { ...deps.chain, relayers: [ME, OTHER] } },
        outbox.round({ others }),
      ),
    ).to.equal(2)
    expect(await outbox.row(keys[0] ?? '')).to.deep.include({ status: 'signed', sender: OTHER, nonce: 3 })
    expect(await outbox.row(keys[1] ?? '')).to.deep.include({ status: 'queued' })
    expect(await outbox.row(anchor)).to.deep.include({ status: 'signed', sender: ME, nonce: 5 })
  })

  it('asks nothing of the node for intents of a full account while another account is idle', async () => {
    for (let nth = 1; nth <= 15; nth += 1) await outbox.put({ status: 'sent', sender: ME, nonce: 100 + nth })
    const others = [{ sender: OTHER, nextNonce: 3, finalNonce: 3 }]
    const deps = outbox.deps({
      'audit.anchor': answering(SEND, { isOrdered: true }),
      'identity.mint': answering(SEND),
      'identity.handOver': answering({ ...SEND, from: OTHER }, { choosesSender: true }),
    })
    const anchors = [await outbox.put({ kind: 'audit.anchor' }), await outbox.put({ kind: 'audit.anchor' })]
    for (let nth = 1; nth <= 5; nth += 1) await outbox.put({ kind: 'identity.mint' })
    const moved = await outbox.put({ kind: 'identity.handOver' })
    const both = { ...deps, chain: { ...deps.chain, relayers: [ME, OTHER] } }
    expect(await prepareIntents(both, outbox.round({ others }))).to.equal(2)
    expect(askedFor()).to.deep.equal([anchors[0], moved])
    expect(await outbox.row(moved)).to.deep.include({ status: 'signed', sender: OTHER })
  })

  it('fills a gap although it blocks sixteen intents, and before the anchors that wait for it', async () => {
    for (let nth = 1; nth <= 16; nth += 1) await outbox.put({ status: 'sent', sender: ME, nonce: 5 + nth })
    for (let batch = 1; batch <= 12; batch += 1) await outbox.put({ kind: 'audit.anchor' })
    const gap = await outbox.put()
    expect(await prepare(answering(SEND))).to.equal(1)
    expect(askedFor()).to.deep.equal([gap])
    expect(await outbox.row(gap)).to.deep.include({ status: 'signed', nonce: 5 })
  })

  it('waits for an intent that is not due, and those after it if their order matters', async () => {
    await outbox.put({ next_attempt_at: NOW + 1 })
    const second = await outbox.put()
    expect(await prepare(answering(SEND, { isOrdered: true }))).to.equal(0)
    expect(askedFor()).to.deep.equal([])
    expect(await prepare(answering(SEND))).to.equal(1)
    expect(askedFor()).to.deep.equal([second])
  })

  it('finds what is due behind any number of intents that are not, and feedback after all others', async () => {
    const [feedback, mint] = ['reputation.feedback', 'identity.mint'].map((kind) => ({ kind }))
    for (let nth = 0; nth < 120; nth += 1) {
      await outbox.put({ ...feedback, next_attempt_at: NOW + 1 })
      await outbox.put({ ...mint, next_attempt_at: NOW + 1 })
    }
    const keys: string[] = []
    for (let nth = 0; nth < 100; nth += 1) await outbox.put(feedback)
    for (const kind of [mint, mint]) keys.push(await outbox.put(kind))
    const handlers = { 'identity.mint': answering(SEND), 'reputation.feedback': answering(SEND) }
    expect(await prepareIntents(outbox.deps(handlers), outbox.round())).to.equal(16)
    expect(askedFor().slice(0, 2)).to.deep.equal(keys)
  })

  it('waits for an intent that has to wait, and those after it if their order matters', async () => {
    const keys = [await outbox.put(), await outbox.put()]
    const wait: Preparation = { next: 'wait', why: 'not yet', retryMs: 0 }
    expect(await prepare(answering(wait, { isOrdered: true }))).to.equal(0)
    expect(askedFor()).to.deep.equal([keys[0]])
    prepared = []
    expect(await prepare(answering(wait))).to.equal(0)
    expect(askedFor()).to.deep.equal(keys)
  })

  it('stores why and until when an intent waits, unless the next round is to check again', async () => {
    const key = await outbox.put({ next_attempt_at: NOW - 7 })
    await prepare(answering({ next: 'wait', why: 'not yet', retryMs: 0 }))
    expect(await outbox.row(key)).to.deep.include({ lastError: null, nextAttemptAt: NOW - 7 })
    expect(outbox.logged).to.deep.equal([])
    await prepare(answering({ next: 'wait', why: 'not yet', retryMs: 500 }))
    expect(await outbox.row(key)).to.deep.include({
      status: 'queued',
      lastError: 'not yet',
      nextAttemptAt: NOW + 500,
    })
    expect(outbox.logged).to.deep.equal([{ level: 'warn', text: 'not yet', fields: { intent: key } }])
  })

  for (const [attempts, mustSearch, expected] of [
    [0, false, false],
    [1, false, true],
    [0, true, true],
    [1, true, true],
  ] as const) {
    it(`after ${attempts} attempts, ${mustSearch ? 'with' : 'without'} reason to search, a handler ${expected ? 'searches' : 'need not search'}`, async () => {
      await outbox.put({ attempts })
      await prepare(answering({ next: 'wait', why: '', retryMs: 0 }), {}, mustSearch)
      expect(prepared.map(({ context }) => context.mustSearch)).to.deep.equal([expected])
    })
  }

  it('spends the budget to the last gwei, and not more', async () => {
    // With a quarter added, at 2 wei per gas: 2 gwei.
    const dear: Preparation = { ...SEND, gas: 800_000_000n }
    const key = await outbox.put()
    expect(await prepare(answering(dear), { dailyBudgetGwei: 1 })).to.equal(0)
    expect(await outbox.row(key)).to.deep.include({
      status: 'queued',
      lastError: 'the daily budget is spent',
      nextAttemptAt: NOW + 10_000,
    })
    const other = await outbox.put()
    expect(await prepare(answering(dear), { dailyBudgetGwei: 2 })).to.equal(1)
    expect(await outbox.row(other)).to.deep.include({ status: 'signed', sender: ME, nonce: 5 })
  })

  it('abandons an intent if its handler does, with the dependent state, if any', async () => {
    const notified: string[] = []
    const fail: Preparation = { next: 'fail', why: 'never' }
    const [plain, second] = [await outbox.put(), await outbox.put()]
    expect(await prepare(answering(fail))).to.equal(2)
    expect(await outbox.row(plain)).to.deep.include({ status: 'failed', lastError: 'never', isSettled: true })
    expect(await outbox.row(second)).to.deep.include({ status: 'failed', isSettled: true })
    const third = await outbox.put()
    const handler = answering(fail, {
      whenFailed: async (_trx, { idempotencyKey }, { now }) =>
        void notified.push(`failed ${idempotencyKey} ${now}`),
      notifyUndone: async ({ idempotencyKey }) => void notified.push(`taken back ${idempotencyKey}`),
    })
    expect(await prepare(handler)).to.equal(1)
    expect(notified).to.deep.equal([`failed ${third} ${NOW}`, `taken back ${third}`])
  })

  it('adopts what it finds on chain, and logs where', async () => {
    const mined: unknown[] = []
    const place = { hash: '0xh', block: 9, blockHash: '0xb9' } as const
    const adopt: Preparation = { next: 'adopt', place, result: { agentId: '7' } }
    const [plain, key] = [await outbox.put(), await outbox.put()]
    expect(await prepare(answering(adopt))).to.equal(2)
    expect(await outbox.row(plain)).to.deep.include({
      status: 'mined',
      nonce: null,
      minedHash: '0xh',
      minedBlock: 9,
      minedBlockHash: '0xb9',
      result: { agentId: '7' },
    })
    expect(outbox.logged.at(-1)).to.deep.equal({
      level: 'info',
      text: 'found on chain',
      fields: { intent: key, hash: '0xh' },
    })
    await outbox.put()
    await prepare(answering(adopt, { whenMined: async (_trx, { result }) => void mined.push(result) }))
    expect(mined).to.deep.equal([{ agentId: '7' }])
  })
})
