import { expect } from 'chai'
import { projectChunk } from '../../../../server/services/projection/projectChunk.ts'
import { createDecisionCountStore } from '../../../../server/store/feed/decisionCountStore.ts'
import { createSpendStore } from '../../../../server/store/feed/spendStore.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { openProjection, type Projection } from './openProjection.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const AGENT = buildNumberedRecord(0).agentId ?? ''

describe('what the projection counts', () => {
  let opened: Projection
  let database: Projection['database']
  let store: Projection['store']

  beforeEach(async () => {
    opened = await openProjection()
    database = opened.database
    store = opened.store
  })
  afterEach(() => opened.close())

  it('counts grants and violations of an agent, halved every 30 days', async () => {
    const denied = { recommendation: 'deny' }
    const start = buildNumberedRecord(0).recordedAt
    const at = (days: number) => start + days * DAY_MS
    await database.append([
      buildNumberedRecord(0),
      buildNumberedRecord(1, { recordedAt: at(0), eventData: { ...denied, countsAgainstAgent: true } }),
      buildNumberedRecord(2, {
        recordedAt: at(30),
        eventData: { ...denied, countsAgainstAgent: true, challengeFailed: true },
      }),
      buildNumberedRecord(3, { recordedAt: at(60), eventData: { ...denied, countsAgainstAgent: false } }),
    ])
    projectChunk(store)
    expect(store.behaviour(AGENT)).to.deep.include({ grants: 0.5, violations: 1.5, at: at(30) })
  })

  it('increases no count if a clock was set back', async () => {
    const { recordedAt } = buildNumberedRecord(0)
    await database.append([
      buildNumberedRecord(0),
      buildNumberedRecord(1, { recordedAt: recordedAt - 30 * DAY_MS }),
    ])
    projectChunk(store)
    expect(store.behaviour(AGENT)).to.deep.include({ grants: 2, violations: 0, at: recordedAt })
  })

  describe('limits the share of one source in an agent’s counts, over all chunks', () => {
    let appended = 0
    beforeEach(() => {
      appended = 0
    })
    /** The violations of the agent after some more, each in a chunk of its own. */
    const violationsAfter = async (times: number, eventData: object, fields: object = {}) => {
      for (let nth = 0; nth < times; nth += 1) {
        const violation = { eventType: 'verification.denied', recordedAt: 1_000, ...fields }
        const data = { countsAgainstAgent: true, ...eventData }
        await database.append([buildNumberedRecord(appended, { ...violation, eventData: data })])
        appended += 1
        projectChunk(store)
      }
      return store.behaviour(AGENT)?.violations
    }
    const proven = { endpointTier: 'domain_verified' }

    it('whatever organisation its records are of', async () => {
      const at = (nth: number) => ({ counterpartyOwnerId: `SVCO-${nth}` })
      expect(await violationsAfter(1, { ...proven, behaviourSource: 'ada' }, at(1))).to.equal(1)
      expect(await violationsAfter(2, { ...proven, behaviourSource: 'ada bob' }, at(2))).to.equal(1.5)
      expect(await violationsAfter(1, { ...proven, behaviourSource: 'bob' }, at(3))).to.equal(2.5)
    })

    it('to a quarter without a proven domain', async () => {
      const endpointTier = 'self_asserted'
      expect(await violationsAfter(1, { endpointTier, behaviourSource: 'ada' })).to.equal(0.25)
      expect(await violationsAfter(9, { endpointTier, behaviourSource: 'ada' })).to.equal(0.375)
    })

    it('to nothing where the record names none, because the agent’s owner is behind it or nobody proved to be the agent', async () => {
      expect(await violationsAfter(2, { ...proven, behaviourSource: null })).to.equal(undefined)
    })

    it('to that of the owner in records of earlier versions', async () => {
      expect(await violationsAfter(4, {})).to.equal(1.5)
      expect(await violationsAfter(1, {}, { counterpartyOwnerId: 'SVCO-another' })).to.equal(2.5)
    })
  })

  it('sums and counts what grants let an agent spend, by day, endpoint and currency, exactly', async () => {
    const day = Date.UTC(2026, 10, 21)
    const bought = (nth: number, eventData: object, fields: object = {}) =>
      buildNumberedRecord(nth, {
        recordedAt: day + nth,
        eventData: { recommendation: 'grant', currency: 'EUR', ...eventData },
        ...fields,
      })
    await database.append([
      bought(0, { transactionValue: 0.1 }),
      bought(1, { transactionValue: 0.2 }),
      bought(2, { transactionValue: 5, currency: 'USD' }, { endpointId: 'another' }),
      bought(3, { transactionValue: 7, currency: undefined }, { endpointId: null }),
      bought(4, { transactionValue: 1 }, { recordedAt: day + DAY_MS }),
      bought(5, { transactionValue: 100, recommendation: 'deny' }, { eventType: 'verification.denied' }),
      bought(6, { transactionValue: 100, recommendation: 'audit' }),
      bought(7, { transactionValue: 100 }, { agentId: null }),
      bought(8, { transactionValue: 0 }),
      bought(9, {}),
      bought(10, { transactionValue: 0.2, identityProof: 'signature' }),
      bought(11, { transactionValue: 9000.1, identityProof: 'none' }),
      bought(12, { transactionValue: 900.2, identityProof: 'none' }),
      bought(13, { transactionValue: 30, currency: 'GBP', identityProof: 'none' }),
    ])
    while (projectChunk(store, 3) < 14);
    const spend = createSpendStore(database.db.query)
    const today = day / DAY_MS
    const unproven = { unprovenAmount: '9900.3', unprovenPurchases: 2 }
    const no = { unprovenAmount: '0', unprovenPurchases: 0 }
    const { endpointId } = buildNumberedRecord(0)
    const there = database.db.query('feed.agent_spend').where({ endpoint_id: endpointId, currency: 'EUR' })
    expect((await there.where({ day: today }))[0]).to.include({ purchases: 3, unproven_purchases: 2 })
    expect(await spend.since(today, AGENT, 'anywhere')).to.deep.equal([
      { currency: null, amount: '7', purchases: 1, ...no },
      { currency: 'EUR', amount: '1.5', purchases: 4, ...unproven },
      { currency: 'GBP', amount: '0', purchases: 0, unprovenAmount: '30', unprovenPurchases: 1 },
      { currency: 'USD', amount: '5', purchases: 1, ...no },
    ])
    expect(await spend.since(today + 1, AGENT, 'anywhere')).to.deep.equal([
      { currency: 'EUR', amount: '1', purchases: 1, ...no },
    ])
    expect(await spend.since(today, 'SVC-another', 'anywhere')).to.deep.equal([])
  })

  it('counts decisions by agent and endpoint, and no other events', async () => {
    const hour = Date.UTC(2026, 10, 21, 7)
    const { endpointId } = buildNumberedRecord(0)
    const denied = { recommendation: 'deny', dimensions: ['pdlss.limits', 'trust.score', 'pdlss.limits'] }
    const decided = (nth: number, eventType: string, fields: object = {}) =>
      buildNumberedRecord(nth, { eventType, recordedAt: hour + nth, ...fields })
    await database.append([
      decided(0, 'verification.completed'),
      decided(1, 'verification.denied', { eventData: denied }),
      decided(2, 'verification.denied', { eventData: denied, recordedAt: hour + DAY_MS }),
      decided(3, 'verification.step_up_required', { eventData: { dimensions: ['not.a.denial'] } }),
      decided(4, 'verification.completed', { agentId: null }),
      decided(5, 'verification.completed', { endpointId: null }),
      decided(6, 'verification.completed', { endpointId: 'another' }),
      decided(7, 'verification.dry_run'),
      decided(8, 'approval.requested'),
    ])
    while (projectChunk(store, 4) < 9);
    const counts = createDecisionCountStore(database.db.query)
    const at = hour / 3_600_000
    const outcome = (eventType: string, decisions: number, later = 0) => ({
      ...{ hour: at + later, eventType, decisions },
    })
    expect(await counts.outcomes(AGENT, at)).to.deep.equal([
      outcome('verification.completed', 3),
      outcome('verification.denied', 1),
      outcome('verification.step_up_required', 1),
      outcome('verification.denied', 1, 24),
    ])
    expect(await counts.outcomes(endpointId ?? '', at)).to.deep.equal([
      outcome('verification.completed', 2),
      outcome('verification.denied', 1),
      outcome('verification.step_up_required', 1),
      outcome('verification.denied', 1, 24),
    ])
    expect(await counts.outcomes(AGENT, at + 1)).to.have.lengthOf(1)
    const page = { fromDay: Math.floor(hour / DAY_MS), limit: 10 }
    const denials = await counts.days(AGENT, 'dimension', page)
    expect(denials).to.have.deep.members([
      { name: 'pdlss.limits', decisions: 1 },
      { name: 'trust.score', decisions: 1 },
      { name: 'pdlss.limits', decisions: 1 },
      { name: 'trust.score', decisions: 1 },
    ])
    expect(await counts.days(AGENT, 'dimension', { ...page, limit: 1 })).to.have.lengthOf(1)
    expect(await counts.days(AGENT, 'counterpart', page)).to.have.deep.members([
      { name: endpointId, decisions: 1 },
      { name: endpointId, decisions: 3 },
      { name: 'another', decisions: 1 },
    ])
    expect(await counts.lastAt(AGENT)).to.equal(hour + DAY_MS)
    expect(await counts.lastAt('SVC-another')).to.equal(null)
  })
})
