import { expect } from 'chai'
import type { Hex } from '../../../../server/chain/chainTypes.ts'
import type { ForkWatch } from '../../../../server/services/relayer/preparePoll.ts'
import { reopenLost } from '../../../../server/services/relayer/reopenLost.ts'
import { HEAD, IDLE, NOW, type Outbox, openOutbox } from './openOutbox.ts'

const AT_HEAD = { number: HEAD.number, hash: HEAD.hash }

describe('reopenLost', () => {
  let outbox: Outbox
  before(async () => {
    outbox = await openOutbox()
  })
  afterEach(() => outbox.clear())
  after(() => outbox?.remove())

  const settled = (block: number | null, hash: string) =>
    outbox.put({
      status: 'confirmed',
      mined_block: block,
      mined_block_hash: hash,
      settled_at: NOW,
      nonce: null,
    })
  const statusesOf = async (...keys: string[]) =>
    Promise.all(keys.map(async (key) => (await outbox.row(key)).status))
  const look = async (watch: ForkWatch = { last: null }) => {
    const lost = await reopenLost(outbox.deps(), outbox.round(), watch)
    return { lost, last: watch.last, asked: [...outbox.asked] }
  }

  it('sends one query while the block of the last check still exists', async () => {
    outbox.blocks.set(8, '0xb8')
    const gone = await settled(7, '0xgone')
    expect(await look({ last: { number: 8, hash: '0xb8' } })).to.deep.equal({
      lost: 0,
      last: AT_HEAD,
      asked: ['blockHash 8'],
    })
    expect(await statusesOf(gone)).to.deep.equal(['confirmed'])
  })

  it('sends no query if the chain still ends there', async () => {
    expect(await look({ last: AT_HEAD })).to.deep.equal({ lost: 0, last: AT_HEAD, asked: [] })
  })

  it('checks thoroughly if the chain is shorter than before, or ends in another block', async () => {
    for (const last of [
      { number: 11, hash: '0xb11' as Hex },
      { number: 10, hash: '0xanother' as Hex },
    ]) {
      const gone = await settled(9, '0xgone')
      outbox.blocks.set(9, '0xb9').set(11, '0xb11')
      expect(await look({ last })).to.deep.equal({ lost: 1, last: AT_HEAD, asked: ['blockHash 9'] })
      expect(await statusesOf(gone)).to.deep.equal(['queued'])
      await outbox.clear()
    }
  })

  it('also reverts intents that nobody was notified of yet', async () => {
    outbox.blocks.set(7, '0xb7').set(8, '0xb8').set(9, '0xb9')
    const untold = await outbox.put({ status: 'confirmed', mined_block: 8, mined_block_hash: '0xgone' })
    const [kept, gone] = [await settled(7, '0xb7'), await settled(9, '0xgone')]
    expect((await look()).lost).to.equal(2)
    expect(await statusesOf(untold, kept, gone)).to.deep.equal(['queued', 'confirmed', 'queued'])
  })

  it('reverts from the newest down to the first that exists, with one query per block', async () => {
    outbox.blocks.set(7, '0xb7').set(8, '0xb8').set(9, '0xb9')
    const before = await settled(6, '0xgone6')
    const there = await settled(7, '0xb7')
    const lost = [await settled(8, '0xgone8'), await settled(9, '0xgone9'), await settled(9, '0xgone9')]
    const atHead = await settled(10, '0xgone10')
    expect(await look()).to.deep.equal({
      lost: 4,
      last: AT_HEAD,
      asked: ['blockHash 9', 'blockHash 8', 'blockHash 7'],
    })
    expect(await statusesOf(before, there)).to.deep.equal(['confirmed', 'confirmed'])
    expect(await statusesOf(...lost, atHead)).to.deep.equal(['queued', 'queued', 'queued', 'queued'])
  })

  it('finds the intents of the newest block without a query', async () => {
    const there = await settled(10, HEAD.hash)
    expect(await look()).to.deep.equal({ lost: 0, last: AT_HEAD, asked: [] })
    expect(await statusesOf(there)).to.deep.equal(['confirmed'])
  })

  it('loses nothing because of a lagging node, and checks thoroughly again', async () => {
    outbox.blocks.set(9, '0xb9')
    const [ahead, there] = [await settled(11, '0xb11'), await settled(9, '0xb9')]
    expect(await look()).to.deep.equal({ lost: 0, last: null, asked: ['blockHash 9'] })
    expect(await statusesOf(ahead, there)).to.deep.equal(['confirmed', 'confirmed'])
  })

  it('loses nothing because of a node that lacks the head another one reported', async () => {
    const [kept, newer] = [await settled(8, '0xb8'), await settled(9, '0xb9')]
    expect(await look()).to.deep.equal({ lost: 0, last: null, asked: ['blockHash 9'] })
    expect(await statusesOf(kept, newer)).to.deep.equal(['confirmed', 'confirmed'])
  })

  it('continues in the next round if everything it compares is lost', async () => {
    outbox.blocks.set(9, '0xb9')
    for (let nth = 0; nth < 501; nth += 1) await settled(9, '0xgone')
    expect(await look()).to.deep.include({ lost: 500, last: null })
    expect(await look()).to.deep.include({ lost: 1, last: AT_HEAD })
  })

  it('updates the dependent state of an intent, if any, and logs it', async () => {
    const told: string[] = []
    outbox.blocks.set(9, '0xb9')
    await settled(9, '0xgone')
    const handler = {
      ...IDLE,
      whenUnmined: async () => void told.push('unmined'),
      notifyUndone: async () => void told.push('taken back'),
    }
    await reopenLost(outbox.deps({ 'nonce.fill': handler }), outbox.round(), { last: null })
    expect(told).to.deep.equal(['unmined', 'taken back'])
  })
})
