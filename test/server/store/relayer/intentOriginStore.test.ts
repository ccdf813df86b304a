import { expect } from 'chai'
import { traceTransactions } from '../../../../server/store/database/traceTransactions.ts'
import { createIntentOriginStore } from '../../../../server/store/relayer/intentOriginStore.ts'
import type { NewIntent } from '../../../../server/store/relayer/intentRow.ts'
import { createOutboxStore } from '../../../../server/store/relayer/outboxStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const NOW = 1_900_000_000_000
const FIRST = `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`
const SECOND = `00-${'2'.repeat(32)}-${'2'.repeat(16)}-01`

describe('the origins of intents', () => {
  let opened: TemporaryDatabase
  beforeEach(async () => {
    opened = await openTemporaryDatabase()
  })
  afterEach(() => opened.remove())

  const order = async (
    traceParent: string | null,
    method: 'add' | 'addAgain',
    fields: Partial<NewIntent>,
  ) => {
    const db = traceTransactions(opened.db, () => traceParent)
    const intent = { idempotencyKey: 'mint:a', kind: 'identity.mint', payload: {}, now: NOW, ...fields }
    await db.transaction((trx) => createOutboxStore(db.query)[method](trx, intent))
    return Number((await createOutboxStore(db.query).byKey(intent.idempotencyKey))?.id)
  }
  const settle = (status: 'confirmed' | 'failed') =>
    opened.db.query('relayer_intents').update({ status, settled_at: NOW + 5, attempts: 2 })
  const take = () => createIntentOriginStore(opened.db.query).takeSettled()

  it('are returned once, when the intent is settled, with the span that ordered it', async () => {
    await order(FIRST, 'add', {})
    expect(await take()).to.deep.equal([])
    await settle('failed')
    expect(await take()).to.deep.equal([
      {
        ...{ kind: 'identity.mint', traceParent: FIRST, orderedAt: NOW, settledAt: NOW + 5 },
        ...{ hasFailed: true, attempts: 2 },
      },
    ])
    expect(await take()).to.deep.equal([])
  })

  it('are those of the order that counts, however often it is repeated', async () => {
    await order(FIRST, 'add', {})
    await order(SECOND, 'add', { now: NOW + 1 })
    await order(SECOND, 'addAgain', { now: NOW + 1 })
    await settle('confirmed')
    expect((await take()).map(({ traceParent }) => traceParent)).to.deep.equal([FIRST])
    await order(SECOND, 'addAgain', { now: NOW + 1 })
    await settle('confirmed')
    expect(await take()).to.deep.equal([
      {
        ...{ kind: 'identity.mint', traceParent: SECOND, orderedAt: NOW + 1, settledAt: NOW + 5 },
        ...{ hasFailed: false, attempts: 2 },
      },
    ])
  })

  it('pass from an intent to the one that follows it, which a round orders', async () => {
    for (const ofRound of [null, SECOND]) {
      const follows = await order(FIRST, 'add', { idempotencyKey: `mint:${ofRound}` })
      const later = { kind: 'identity.transfer', idempotencyKey: `transfer:${ofRound}`, follows }
      await order(ofRound, 'addAgain', later)
      await settle('confirmed')
      expect((await take()).map(({ kind, traceParent }) => [kind, traceParent])).to.have.deep.members([
        ['identity.mint', FIRST],
        ['identity.transfer', FIRST],
      ])
    }
    const follows = await order(null, 'add', { idempotencyKey: 'mint:unsampled' })
    await order(SECOND, 'addAgain', { idempotencyKey: 'transfer:unsampled', follows })
    await settle('confirmed')
    expect(await take()).to.deep.equal([])
  })
})
