import { randomUUID } from 'node:crypto'
import { GRANT_USES_MAX } from '@svc/core/receipt/receipt.ts'
import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { signIntent, signWithBase } from '../../../builders/signAsAgent.ts'
import { openReceipts, type ReceiptScene } from './openReceipts.ts'

const PATH = '/api/agents/verify-access/uses'

describe('reported uses of a grant', () => {
  let scene: ReceiptScene
  let agentId: string
  let key: Awaited<ReturnType<ReceiptScene['addKey']>>

  before(async () => {
    scene = await openReceipts()
    agentId = await scene.agentOwner.agent({ pdlss: {} })
    key = await scene.addKey(agentId)
  })
  after(() => scene?.service.stop())

  const grant = async (fields: object = {}) => {
    const answer = await scene.ask({ agentId, sessionDuration: 3_600, ...key.prove(), ...fields })
    expect(answer.recommendation).to.equal('grant')
    return answer as { auditRecordId: string; sessionId: string; receipt: string }
  }
  const useOf = ({ auditRecordId }: { auditRecordId: string }, fields: object = {}) => ({
    useId: randomUUID(),
    auditRecordId,
    usedAt: new Date(scene.time.now).toISOString(),
    nonce: randomUUID(),
    // As the intent proofs of these tests.
    expires: Math.floor(scene.time.now / 1000) + 60,
    ...fields,
  })
  const report = (uses: readonly object[], bearer = scene.shop.apiKey) =>
    scene.call('POST', PATH, { bearer, body: { uses } })
  const contradictionsOf = async (...uses: object[]) =>
    (await report(uses)).body.uses.map(({ contradiction }: { contradiction: string | null }) => contradiction)
  const refused = async (contradiction: string, granted: { sessionId: string }, use: { useId: string }) => {
    expect((await report([use])).body.uses).to.deep.equal([
      { useId: use.useId, status: 'refused', contradiction },
    ])
    expect(await eventsOf(granted)).to.deep.equal([])
  }
  const eventsOf = async ({ sessionId }: { sessionId: string }, bearer?: string) => {
    const path = '/api/activity?eventType=verification.reused&limit=100'
    const { items } = (await scene.agentOwner.call('GET', path, bearer === undefined ? {} : { bearer })).body
    return items.filter(
      (item: { eventData: { sessionId: string } }) => item.eventData.sessionId === sessionId,
    )
  }

  it('become events for both parties, and entries that name the grant', async () => {
    const granted = await grant({ transactionValue: 20 })
    const use = useOf(granted, { value: 7.5 })
    const { status, body } = await report([use])
    expect(status).to.equal(200)
    expect(body.uses).to.deep.equal([{ useId: use.useId, status: 'recorded', contradiction: null }])
    for (const bearer of [undefined, scene.shop.apiKey]) {
      const [event, ...more] = await eventsOf(granted, bearer)
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
    const granted = await grant()
    const uses = [useOf(granted), useOf(granted)]
    const first = await report(uses)
    expect((await report([...uses, ...uses])).body.uses).to.deep.equal([
      ...first.body.uses,
      ...first.body.uses,
    ])
    expect(await eventsOf(granted)).to.have.length(2)
  })

  it('contradict the grant beyond its value, in sum', async () => {
    const granted = await grant({ transactionValue: 20 })
    const values = [10, 9.9, 0.1, 0.01, undefined]
    const uses = values.map((value) => useOf(granted, { value }))
    expect(await contradictionsOf(...uses)).to.deep.equal([null, null, null, 'over_value', 'over_value'])
    const [last] = await eventsOf(granted)
    expect(last.eventData).to.include({ contradiction: 'over_value' })
    const free = await grant({ transactionValue: undefined, currency: undefined })
    expect(await contradictionsOf(useOf(free), useOf(free, { value: 0.01 }))).to.deep.equal([
      null,
      'over_value',
    ])
  })

  it('contradict the grant outside its time', async () => {
    const granted = await grant()
    const at = (ms: number) => useOf(granted, { usedAt: new Date(scene.time.now + ms).toISOString() })
    const minute = 60_000
    expect(await contradictionsOf(at(-2 * minute), at(2 * minute), at(0))).to.deep.equal([
      'outside_session',
      'outside_session',
      null,
    ])
    scene.time.now += 65 * minute
    expect(await contradictionsOf(at(0), at(-5 * minute))).to.deep.equal(['outside_session', null])
  })

  it('contradict the grant after it was withdrawn, but not before', async () => {
    const granted = await grant()
    const before = useOf(granted)
    scene.time.now += 1_000
    await scene.call('POST', `/api/agents/verify-access/${granted.sessionId}/end`, {
      bearer: scene.shop.apiKey,
      body: {},
    })
    scene.time.now += 1_000
    expect(await contradictionsOf(before, useOf(granted))).to.deep.equal([null, 'withdrawn'])
  })

  it('contradict the grant if the signature was presented before, to the service or to a gateway', async () => {
    const nonce = randomUUID()
    const granted = await grant(key.prove(nonce))
    const other = await grant()
    const fresh = randomUUID()
    expect(await contradictionsOf(useOf(granted, { nonce }), useOf(granted, { nonce: fresh }))).to.deep.equal(
      ['replayed', null],
    )
    expect(await contradictionsOf(useOf(other, { nonce: fresh }))).to.deep.equal(['replayed'])
    const replayed = await scene.ask({ agentId, ...key.prove(fresh) })
    expect(replayed.access.failures[0].dimension).to.equal('agent.proof')
  })

  describe('of a nonce', () => {
    /** An endpoint of an organisation of its own, which has a grant to a request that the agent signed. */
    const openShop = async () => {
      const host = `${randomUUID()}.reuse.io`
      const { apiKey } = await createOrganisation(scene.baseUrl)
      const fields = { counterpartyUrl: `https://${host}/${randomUUID()}`, trustScoreRequirement: 0 }
      const svceId = await registerEndpoint(scene.baseUrl, apiKey, fields)
      const ask = (asked: object) => scene.ask({ agentId, counterpartyId: svceId, ...asked }, {}, apiKey)
      const iat = seconds()
      const claims = { iss: agentId, aud: svceId, iat, exp: iat + 60, jti: randomUUID() }
      const granted = await ask({ sessionDuration: 3_600, intentProof: signIntent(key, claims) })
      const reportHere = async (fields: object) =>
        (await report([useOf(granted, fields)], apiKey)).body.uses[0].contradiction
      const present = async (callerMetadata: object) => (await ask({ callerMetadata })).identityProof
      return { reportHere, present, granted, host }
    }
    const seconds = () => Math.floor(scene.time.now / 1000)
    const sign = (host: string, nonce: string = randomUUID()) => {
      const times = { created: seconds(), expires: seconds() + 60 }
      const signed = signWithBase(key, { svcId: agentId, url: `https://${host}/orders`, nonce, ...times })
      return { ...signed, nonce, expires: times.expires }
    }
    const used = ({ request, nonce, expires }: ReturnType<typeof sign>) => ({ request, nonce, expires })
    const named = ({ nonce, expires }: ReturnType<typeof sign>) => ({ nonce, expires })

    it('use it up at the endpoint that reports it, and not at another one', async () => {
      const [genuine, other] = [await openShop(), await openShop()]
      const signed = sign(genuine.host)
      expect(await other.reportHere(named(signed))).to.equal(null)
      expect(await genuine.present(signed.metadata)).to.equal('signature')
      const second = sign(genuine.host)
      expect(await genuine.reportHere(named(second))).to.equal(null)
      expect(await genuine.present(second.metadata)).to.equal('none')
    })

    it('use it up everywhere with the signature of a request to this endpoint, and say so in the event', async () => {
      const [first, second] = [await openShop(), await openShop()]
      const signed = sign(first.host)
      expect(await first.reportHere(used(signed))).to.equal(null)
      const [event] = await eventsOf(first.granted)
      expect(event.eventData.isSigned).to.equal(true)
      expect(await first.present(signed.metadata)).to.equal('none')
      const { nonce, expires } = signed
      // The nonce is used up, whatever else its key signs with it.
      const again = signWithBase(key, {
        ...{ svcId: agentId, url: `https://${second.host}/orders`, nonce, created: seconds(), expires },
      })
      expect(await second.present(again.metadata)).to.equal('none')
    })

    it('with a signature that is for another host, another nonce or forged count as without one', async () => {
      const [genuine, other] = [await openShop(), await openShop()]
      const [forHere, forThere] = [sign(genuine.host), sign(other.host)]
      const bytes = Buffer.from(forThere.request.signature, 'base64')
      bytes[0] = (bytes[0] ?? 0) ^ 1
      const forged = { ...forThere.request, signature: bytes.toString('base64') }
      const moved = { ...forHere.request }
      moved.signatureBase = moved.signatureBase.replace(genuine.host, other.host)
      for (const request of [forHere.request, forThere.request, forged, moved]) {
        const attacked = sign(genuine.host)
        expect(await other.reportHere({ ...named(attacked), request })).to.equal(null)
        expect(await genuine.present(attacked.metadata)).to.equal('signature')
      }
      expect(await other.reportHere(used(forHere))).to.equal(null)
      expect(await genuine.present(forHere.metadata)).to.equal('signature')
    })

    it('contradict the grant where the signature was presented before, with or without it', async () => {
      const shop = await openShop()
      const signed = sign(shop.host)
      expect(await shop.present(signed.metadata)).to.equal('signature')
      expect(await shop.reportHere(named(signed))).to.equal('replayed')
      expect(await shop.reportHere(used(signed))).to.equal('replayed')
      const second = sign(shop.host)
      expect(await shop.reportHere(named(second))).to.equal(null)
      expect(await shop.reportHere(used(second))).to.equal('replayed')
      const third = sign(shop.host)
      expect(await shop.reportHere(used(third))).to.equal(null)
      expect(await shop.reportHere(named(third))).to.equal('replayed')
    })
  })

  it('are refused, and leave no trace, of a grant that no key signed', async () => {
    const granted = await scene.ask({ sessionDuration: 3_600 })
    expect(granted).to.include({ recommendation: 'grant', identityProof: 'none' })
    await refused('unproven', granted, useOf(granted))
  })

  it('are refused, and leave no trace, with a signature that lasts longer than one may', async () => {
    const granted = await grant()
    const usedAt = Math.floor(scene.time.now / 1000)
    const until = (expires: number, fields: object = {}) => useOf(granted, { expires, ...fields })
    await refused('long_lived', granted, until(usedAt + 361))
    await refused('long_lived', granted, until(Number.MAX_SAFE_INTEGER))
    // A time in the future extends nothing.
    const later = new Date(scene.time.now + 86_400_000).toISOString()
    await refused('long_lived', granted, until(usedAt + 86_400, { usedAt: later }))
    expect(await contradictionsOf(until(usedAt + 360))).to.deep.equal([null])
  })

  it('are refused beyond the most that one grant can have, and leave no trace', async () => {
    const granted = await grant()
    const first = useOf(granted)
    await report([first])
    expect(
      await scene.store('SELECT use_count FROM receipts WHERE record_id = ?', granted.auditRecordId),
    ).to.deep.equal([{ use_count: 1 }])
    await scene.store(
      'UPDATE receipts SET use_count = ? WHERE record_id = ?',
      GRANT_USES_MAX - 1,
      granted.auditRecordId,
    )
    const [last, further] = [useOf(granted), useOf(granted)]
    const { body } = await report([last, further, first])
    expect(body.uses).to.deep.equal([
      { useId: last.useId, status: 'recorded', contradiction: null },
      { useId: further.useId, status: 'refused', contradiction: 'too_many' },
      { useId: first.useId, status: 'recorded', contradiction: null },
    ])
    expect(await eventsOf(granted)).to.have.length(2)
  })

  it('are unknown, and leave no trace, of a grant of another account, without a receipt, or of a refusal', async () => {
    const stranger = await createOrganisation(scene.baseUrl)
    const granted = await grant()
    const without = await grant({ includeReceipt: false })
    const refused = await scene.ask({ agentId, intentProof: 'not one' })
    expect(refused.recommendation).to.equal('deny')
    const unknown = async (use: { useId: string }, bearer?: string) =>
      expect((await report([use], bearer)).body.uses).to.deep.equal([
        { useId: use.useId, status: 'unknown', contradiction: null },
      ])
    await unknown(useOf(granted), stranger.apiKey)
    await unknown(useOf(without))
    await unknown(useOf(refused))
    await unknown(useOf({ auditRecordId: randomUUID() }))
    expect(await eventsOf(granted)).to.deep.equal([])
  })

  it('are at most a hundred at a time, each with everything that is checked', async () => {
    const granted = await grant()
    const many = Array.from({ length: 101 }, () => useOf(granted))
    expect((await report(many.slice(1))).status).to.equal(200)
    for (const [uses, pointer] of [
      [many, '/uses'],
      [[], '/uses'],
      [[useOf(granted, { nonce: 'short' })], '/uses/0/nonce'],
      [[useOf(granted, { nonce: undefined })], '/uses/0/nonce'],
      [[useOf(granted, { expires: undefined })], '/uses/0/expires'],
      [[useOf(granted, { useId: '1' })], '/uses/0/useId'],
      [[useOf(granted, { usedAt: 'now' })], '/uses/0/usedAt'],
      [[useOf(granted, { value: -1 })], '/uses/0/value'],
    ] as const) {
      const { status, body } = await report(uses)
      expect([status, body.errors[0].pointer]).to.deep.equal([400, pointer])
    }
  })

  it('cannot be replayed as a decision', async () => {
    const granted = await grant()
    await report([useOf(granted)])
    const [event] = await eventsOf(granted)
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
