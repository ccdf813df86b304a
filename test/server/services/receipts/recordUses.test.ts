import { randomUUID } from 'node:crypto'
import { GRANT_USES_MAX } from '@svc/core/receipt/receipt.ts'
import { expect } from 'chai'
import { createOrganisation } from '../../../builders/participants.ts'
import { openReceipts, type ReceiptScene } from './openReceipts.ts'
import { openUses, type Uses } from './openUses.ts'

const PATH = '/api/agents/verify-access/uses'

describe('reported uses of a grant', () => {
  let uses: Uses
  let scene: ReceiptScene
  let agentId: string

  before(async () => {
    uses = await openUses()
    scene = uses.scene
    agentId = uses.agentId
  })
  after(() => scene?.service.stop())

  it('become events for both parties, and entries that name the grant', async () => {
    const granted = await uses.grant({ transactionValue: 20 })
    const use = uses.useOf(granted, { value: 7.5 })
    const { status, body } = await uses.report([use])
    expect(status).to.equal(200)
    expect(body.uses).to.deep.equal([{ useId: use.useId, status: 'recorded', contradiction: null }])
    for (const bearer of [undefined, scene.shop.apiKey]) {
      const [event, ...more] = await uses.eventsOf(granted, bearer)
      expect(more).to.deep.equal([])
      const { purpose, resource, transactionValue, currency, usedAt } = event.eventData
      expect({ purpose, resource, transactionValue, currency, usedAt }).to.deep.equal({
        ...{ purpose: 'shopping:buy', resource: '/orders/1', transactionValue: 7.5, currency: 'USD' },
        usedAt: use.usedAt,
      })
      const path = `/api/audit/records/${event.id}`
      const { record } = (await scene.call('GET', path, { bearer: scene.shop.apiKey })).body
      const entry = JSON.parse(Buffer.from(record.entry, 'base64').toString())
      expect(entry).to.deep.include({
        decision: null,
        subject: { reuseOf: granted.auditRecordId, useId: use.useId },
      })
    }
  })

  it('are recorded once, however often they are reported', async () => {
    const granted = await uses.grant()
    const reported = [uses.useOf(granted), uses.useOf(granted)]
    const first = await uses.report(reported)
    expect((await uses.report([...reported, ...reported])).body.uses).to.deep.equal([
      ...first.body.uses,
      ...first.body.uses,
    ])
    expect(await uses.eventsOf(granted)).to.have.length(2)
  })

  it('contradict the grant beyond its value, in sum', async () => {
    const granted = await uses.grant({ transactionValue: 20 })
    const values = [10, 9.9, 0.1, 0.01, undefined]
    const reported = values.map((value) => uses.useOf(granted, { value }))
    expect(await uses.contradictionsOf(...reported)).to.deep.equal([
      null,
      null,
      null,
      'over_value',
      'over_value',
    ])
    const [last] = await uses.eventsOf(granted)
    expect(last.eventData).to.include({ contradiction: 'over_value' })
    const free = await uses.grant({ transactionValue: undefined, currency: undefined })
    expect(await uses.contradictionsOf(uses.useOf(free), uses.useOf(free, { value: 0.01 }))).to.deep.equal([
      null,
      'over_value',
    ])
  })

  it('contradict the grant outside its time', async () => {
    const granted = await uses.grant()
    const at = (ms: number) => {
      const usedAt = scene.time.now + ms
      const expires = Math.floor(usedAt / 1000) + 60
      return uses.useOf(granted, { usedAt: new Date(usedAt).toISOString(), expires })
    }
    const minute = 60_000
    expect(await uses.contradictionsOf(at(-2 * minute), at(2 * minute), at(0))).to.deep.equal([
      'outside_session',
      'outside_session',
      null,
    ])
    scene.time.now += 65 * minute
    expect(await uses.contradictionsOf(at(0), at(-5 * minute))).to.deep.equal(['outside_session', null])
  })

  it('contradict the grant after it was withdrawn, but not before', async () => {
    const granted = await uses.grant()
    const before = uses.useOf(granted)
    scene.time.now += 1_000
    await scene.call('POST', `/api/agents/verify-access/${granted.sessionId}/end`, {
      bearer: scene.shop.apiKey,
      body: {},
    })
    scene.time.now += 1_000
    expect(await uses.contradictionsOf(before, uses.useOf(granted))).to.deep.equal([null, 'withdrawn'])
  })

  it('contradict the grant if the signature was presented before, to the service or to a gateway', async () => {
    const nonce = randomUUID()
    const granted = await uses.grant(uses.key.prove(nonce))
    const other = await uses.grant()
    const fresh = randomUUID()
    expect(
      await uses.contradictionsOf(uses.useOf(granted, { nonce }), uses.useOf(granted, { nonce: fresh })),
    ).to.deep.equal(['replayed', null])
    expect(await uses.contradictionsOf(uses.useOf(other, { nonce: fresh }))).to.deep.equal(['replayed'])
    const replayed = await scene.ask({ agentId, ...uses.key.prove(fresh) })
    expect(replayed.access.failures[0].dimension).to.equal('agent.proof')
  })

  it('are refused, and leave no trace, with a signature that has expired', async () => {
    const granted = await uses.grant()
    const expires = Math.floor(scene.time.now / 1000)
    await uses.refused('outside_signature', granted, uses.useOf(granted, { expires }))
    const usedAt = new Date(expires * 1000 - 1).toISOString()
    expect(await uses.contradictionsOf(uses.useOf(granted, { expires, usedAt }))).to.deep.equal([null])
  })

  it('say that they were reported when signatures used before were no longer found', async () => {
    const granted = await uses.grant()
    const [timely, late] = [uses.useOf(granted), uses.useOf(granted)]
    scene.time.now += 119_000
    await uses.report([timely])
    scene.time.now += 2_000
    await uses.report([late])
    const [second, first] = await uses.eventsOf(granted)
    expect(second.eventData).to.include({ isLate: true })
    expect(first.eventData).to.not.have.property('isLate')
  })

  it('are refused, and leave no trace, of a grant that no key signed', async () => {
    const granted = await scene.ask({ sessionDuration: 3_600 })
    expect(granted).to.include({ recommendation: 'grant', identityProof: 'none' })
    await uses.refused('unproven', granted, uses.useOf(granted))
  })

  it('are refused, and leave no trace, with a signature that lasts longer than one may', async () => {
    const granted = await uses.grant()
    const usedAt = Math.floor(scene.time.now / 1000)
    const until = (expires: number, fields: object = {}) => uses.useOf(granted, { expires, ...fields })
    await uses.refused('long_lived', granted, until(usedAt + 361))
    await uses.refused('long_lived', granted, until(Number.MAX_SAFE_INTEGER))
    // A time in the future extends nothing.
    const later = new Date(scene.time.now + 86_400_000).toISOString()
    await uses.refused('long_lived', granted, until(usedAt + 86_460, { usedAt: later }))
    expect(await uses.contradictionsOf(until(usedAt + 360))).to.deep.equal([null])
  })

  it('are refused beyond the most that one grant can have, and leave no trace', async () => {
    const granted = await uses.grant()
    const first = uses.useOf(granted)
    await uses.report([first])
    expect(
      await scene.store('SELECT use_count FROM receipts WHERE record_id = ?', granted.auditRecordId),
    ).to.deep.equal([{ use_count: 1 }])
    await scene.store(
      'UPDATE receipts SET use_count = ? WHERE record_id = ?',
      GRANT_USES_MAX - 1,
      granted.auditRecordId,
    )
    const [last, further] = [uses.useOf(granted), uses.useOf(granted)]
    const { body } = await uses.report([last, further, first])
    expect(body.uses).to.deep.equal([
      { useId: last.useId, status: 'recorded', contradiction: null },
      { useId: further.useId, status: 'refused', contradiction: 'too_many' },
      { useId: first.useId, status: 'recorded', contradiction: null },
    ])
    expect(await uses.eventsOf(granted)).to.have.length(2)
  })

  it('are unknown, and leave no trace, of a grant of another account, without a receipt, or of a refusal', async () => {
    const stranger = await createOrganisation(scene.baseUrl)
    const granted = await uses.grant()
    const without = await uses.grant({ includeReceipt: false })
    const refused = await scene.ask({ agentId, intentProof: 'not one' })
    expect(refused.recommendation).to.equal('deny')
    const unknown = async (use: { useId: string }, bearer?: string) =>
      expect((await uses.report([use], bearer)).body.uses).to.deep.equal([
        { useId: use.useId, status: 'unknown', contradiction: null },
      ])
    await unknown(uses.useOf(granted), stranger.apiKey)
    await unknown(uses.useOf(without))
    await unknown(uses.useOf(refused))
    await unknown(uses.useOf({ auditRecordId: randomUUID() }))
    expect(await uses.eventsOf(granted)).to.deep.equal([])
  })

  it('are at most a hundred at a time, each with everything that is checked', async () => {
    const granted = await uses.grant()
    const many = Array.from({ length: 101 }, () => uses.useOf(granted))
    expect((await uses.report(many.slice(1))).status).to.equal(200)
    for (const [reported, pointer] of [
      [many, '/uses'],
      [[], '/uses'],
      [[uses.useOf(granted, { nonce: 'short' })], '/uses/0/nonce'],
      [[uses.useOf(granted, { nonce: undefined })], '/uses/0/nonce'],
      [[uses.useOf(granted, { expires: undefined })], '/uses/0/expires'],
      [[uses.useOf(granted, { useId: '1' })], '/uses/0/useId'],
      [[uses.useOf(granted, { usedAt: 'now' })], '/uses/0/usedAt'],
      [[uses.useOf(granted, { value: -1 })], '/uses/0/value'],
    ] as const) {
      const { status, body } = await uses.report(reported)
      expect([status, body.errors[0].pointer]).to.deep.equal([400, pointer])
    }
  })

  it('cannot be replayed as a decision', async () => {
    const granted = await uses.grant()
    await uses.report([uses.useOf(granted)])
    const [event] = await uses.eventsOf(granted)
    const { status, body } = await scene.call('POST', `/api/audit/records/${event.id}/replay`, {
      bearer: scene.shop.apiKey,
    })
    expect([status, body.code]).to.deep.equal([409, 'INVALID_STATE'])
  })
})

describe('the rate limit of reported uses', () => {
  let scene: ReceiptScene
  before(async () => {
    scene = await openReceipts({ VERIFY_RATE_PER_MINUTE: '13' })
  })
  after(() => scene?.service.stop())

  it('counts each, and what has no room is not recorded before it is reported again', async () => {
    const agentId = await scene.agentOwner.agent({ pdlss: {} })
    const key = await scene.addKey(agentId)
    const { auditRecordId } = await scene.ask({ agentId, sessionDuration: 3_600, ...key.prove() })
    const uses = Array.from({ length: 15 }, () => ({
      useId: randomUUID(),
      auditRecordId,
      usedAt: new Date(scene.time.now).toISOString(),
      nonce: randomUUID(),
      expires: Math.floor(scene.time.now / 1000) + 60,
    }))
    const report = async (some: readonly object[]) =>
      scene.call('POST', PATH, { bearer: scene.shop.apiKey, body: { uses: some } })
    const idsOf = ({ body }: Awaited<ReturnType<typeof report>>) =>
      body.uses.map(({ useId }: { useId: string }) => useId)
    const ids = uses.map(({ useId }) => useId)
    // The request for the grant was the first of thirteen.
    expect(idsOf(await report(uses))).to.deep.equal(ids.slice(0, 12))
    const { status, body } = await report(uses)
    expect([status, body.code]).to.deep.equal([429, 'RATE_LIMITED'])
    const recorded = () =>
      scene.store('SELECT use_id FROM receipt_uses WHERE record_id = ?', auditRecordId as string)
    expect(await recorded()).to.have.length(12)
    scene.time.now += 60_000
    expect(idsOf(await report(uses.slice(12)))).to.deep.equal(ids.slice(12))
    expect(await recorded()).to.have.length(15)
  })
})
