import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { openVerifyAccess, PATH, type VerifyAccessScene } from './openVerifyAccess.ts'

describe('verify-access', () => {
  let service: VerifyAccessScene['service']
  let shop: VerifyAccessScene['shop']
  let shopper: VerifyAccessScene['shopper']
  let verify: VerifyAccessScene['verify']
  let inMandate: VerifyAccessScene['inMandate']
  let events: VerifyAccessScene['events']

  before(async () => {
    ;({ service, shop, shopper, verify, inMandate, events } = await openVerifyAccess())
  })
  after(() => service?.stop())

  describe('of an endpoint', () => {
    it('refuses another account’s endpoint and an unknown one identically, by id and by URL', async () => {
      const other = await createOrganisation(service.baseUrl)
      const url = `https://${randomUUID()}.acme.io`
      const theirs = await registerEndpoint(service.baseUrl, other.apiKey, { counterpartyUrl: url })
      const answers = await Promise.all([
        verify({ counterpartyId: theirs }),
        verify({ counterpartyId: 'SVCE-0000000000000000000009' }),
        verify({ counterpartyUrl: `${url}/` }),
      ])
      for (const { status, body } of answers) {
        expect([status, body.code, body.message]).to.deep.equal([
          403,
          'COUNTERPARTY_KEY_MISMATCH',
          answers[0]?.body.message,
        ])
      }
    })

    it('finds an own endpoint by any spelling of the URL', async () => {
      const host = `${randomUUID()}.acme.io`
      const own = await registerEndpoint(service.baseUrl, shop.apiKey, {
        counterpartyUrl: `https://${host}/api`,
      })
      await verify({ counterpartyUrl: `HTTPS://${host.toUpperCase()}:443/api/?q=1#f` })
      const [event] = await events()
      expect(event.endpointId).to.equal(own)
    })

    it('discovers a public URL once, warns its caller, and shows it to that caller only', async () => {
      const counterpartyUrl = `https://${randomUUID()}.acme.io`
      const answers = await Promise.all([1, 2, 3].map(() => verify({ counterpartyUrl })))
      for (const { body } of answers) expect(body.advisory.policy).to.equal('deny')
      const found = new Set(
        (await events()).slice(0, 3).map((event: { endpointId: string }) => event.endpointId),
      )
      expect(found.size).to.equal(1)
    })

    for (const [url, reason] of [
      ['http://localhost:9000', 'url_hostname_localhost'],
      ['https://10.0.0.8', 'url_hostname_ip_literal'],
      ['https://shop.example.com', 'url_hostname_reserved'],
    ] as const) {
      it(`does not store ${url}, and reports ${reason}`, async () => {
        const { status, body } = await verify({ counterpartyUrl: url })
        expect([status, body.recommendation]).to.deep.equal([200, 'deny'])
        const [event] = await events('&eventType=counterparty.discovery_blocked')
        expect(event.eventData).to.deep.include({ reason })
        expect(event.eventData).to.not.have.property('agentName')
      })
    }
  })

  describe('errors', () => {
    const code = (answer: { status: number; body: { code: string } }) => [answer.status, answer.body.code]

    it('requires an API key, and accepts no other credential', async () => {
      const none = await api(service.baseUrl, 'POST', PATH, { body: {} })
      expect(code(none)).to.deep.equal([401, 'UNAUTHENTICATED'])
      const identity = await api(service.baseUrl, 'POST', PATH, {
        body: {},
        headers: { 'x-svc-id': shopper.svcId },
      })
      expect(code(identity)).to.deep.equal([401, 'agent_identity_not_a_credential'])
      expect(code(await verify(inMandate(), { bearer: shop.accessToken }))).to.deep.equal([
        401,
        'UNAUTHENTICATED',
      ])
    })

    it('names every invalid field and stores nothing', async () => {
      const before = (await events()).length
      const answer = await verify({
        agentId: 7,
        transactionValue: -1,
        currency: 'x',
        attemptId: 'no',
        subAgent: [],
      })
      expect(code(answer)).to.deep.equal([400, 'VALIDATION_ERROR'])
      const pointers = answer.body.errors.map((error: { pointer: string }) => error.pointer)
      expect(pointers).to.include.members([
        '/agentId',
        '/transactionValue',
        '/currency',
        '/attemptId',
        '/subAgent',
      ])
      expect((await events()).length).to.equal(before)
    })

    it('requires an endpoint', async () => {
      expect(code(await verify({ purpose: 'shopping' }))).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(code(await verify({ counterpartyUrl: 'ftp://x' }))).to.deep.equal([400, 'VALIDATION_ERROR'])
    })

    it('responds to the probe without a credential', async () => {
      const response = await fetch(service.baseUrl + PATH, { method: 'HEAD' })
      expect(response.status).to.equal(200)
      expect(response.headers.get('content-type')).to.contain('application/json')
    })
  })

  describe('the decision for a session', () => {
    const decide = (sessionId: string, body: object, bearer = shop.apiKey) =>
      api(service.baseUrl, 'POST', `${PATH}/${sessionId}/decision`, { bearer, body })

    it('is recorded once, and the same decision gets the same response', async () => {
      const { sessionId } = (await verify(inMandate())).body
      const first = await decide(sessionId, { decision: 'granted', tokenIssued: true })
      expect(first.body).to.deep.include({ success: true, sessionId, decision: 'granted' })
      expect((await decide(sessionId, { decision: 'granted' })).body).to.deep.equal(first.body)
      const other = await decide(sessionId, { decision: 'denied' })
      expect([other.status, other.body.code]).to.deep.equal([409, 'DECISION_CONFLICT'])
    })

    it('conflicts with another reason or token, but not with a repetition that states less', async () => {
      const { sessionId } = (await verify(inMandate())).body
      const decision = { decision: 'granted', reason: 'in stock', tokenIssued: false }
      const [first, second] = await Promise.all([decide(sessionId, decision), decide(sessionId, decision)])
      expect([first.status, second.status]).to.deep.equal([200, 200])
      for (const other of [{ reason: 'sold out' }, { tokenIssued: true }]) {
        const { status, body } = await decide(sessionId, { ...decision, ...other })
        expect([status, body.code]).to.deep.equal([409, 'DECISION_CONFLICT'])
      }
      const decided = (await events('&eventType=counterparty.decided')).filter(
        ({ eventData }: { eventData: { sessionId: string } }) => eventData.sessionId === sessionId,
      )
      expect(decided).to.have.length(1)
      expect(decided[0].eventData).to.deep.include({ ...decision, sessionId })
    })

    it('can neither grant a denied session nor report a token for it', async () => {
      for (const refused of [{ resource: '/elsewhere' }, { transactionValue: 150 }]) {
        const { sessionId, recommendation } = (await verify({ ...inMandate(), ...refused })).body
        expect(recommendation).to.be.oneOf(['deny', 'step_up_required'])
        for (const body of [{ decision: 'granted' }, { decision: 'deferred', tokenIssued: true }]) {
          const { status, body: answer } = await decide(sessionId, body)
          expect([status, answer.code]).to.deep.equal([409, 'DECISION_CONFLICT'])
        }
        expect((await decide(sessionId, { decision: 'denied', tokenIssued: false })).status).to.equal(200)
      }
    })

    it('is an event for the owner of the agent, too', async () => {
      const { sessionId } = (await verify(inMandate())).body
      await decide(sessionId, { decision: 'granted' })
      const decided = await service.rows(
        `SELECT record.event_type FROM audit_records AS record JOIN agents ON agents.owner_id = record.owner_id
          WHERE svc_id = '${shopper.svcId}' AND counterparty_owner_id = '${shop.organizationId}'
          AND event_type = 'counterparty.decided' AND event_data LIKE '%${sessionId}%'`,
      )
      expect(decided).to.have.length(1)
    })

    it('is refused for unknown sessions, other accounts’ sessions and unknown decisions', async () => {
      const { sessionId } = (await verify(inMandate())).body
      const foreign = await createOrganisation(service.baseUrl)
      expect((await decide(sessionId, { decision: 'granted' }, foreign.apiKey)).status).to.equal(404)
      expect((await decide(randomUUID(), { decision: 'granted' })).status).to.equal(404)
      expect((await decide(sessionId, { decision: 'perhaps' })).status).to.equal(400)
    })
  })
})
