import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import {
  type CertificationScene,
  EVALUATION,
  EVALUATIONS,
  type Json,
  openCertificationScene,
} from './openCertificationScene.ts'

/**
 * The working group's certification scenario, with registered agents for its two users, and PDLSS rules in place of its
 * rules over free properties. Source: AuthZEN Authorization API 1.0, Certification Scenario (numbers in brackets).
 */
describe('AuthZEN, by the certification scenario', () => {
  let scene: CertificationScene
  let alice: Json
  let bob: Json

  before(async () => {
    scene = await openCertificationScene()
    alice = await scene.user(['read', 'write', 'delete'])
    bob = await scene.user(['read'])
  })
  after(() => scene?.service.stop())

  const named = (name: string, properties?: Json): Json => ({ name, ...(properties ? { properties } : {}) })
  const record = (nth: number | string, properties?: Json): Json => ({
    type: 'record',
    id: `record-${nth}`,
    ...(properties ? { properties } : {}),
  })
  const fixture = (changes: Json = {}): Json => ({
    subject: alice,
    action: named('read'),
    resource: record(1),
    ...changes,
  })
  const without = (member: string): Json => {
    const { [member]: _, ...rest } = fixture()
    return rest
  }

  describe('Basic', () => {
    it('returns the four decisions over identifiers (1.4, 2.2.1, 2.2.2)', async () => {
      expect(await scene.decide(fixture())).to.equal(true)
      expect(await scene.decide(fixture({ action: named('write') }))).to.equal(true)
      expect(await scene.decide(fixture({ subject: bob }))).to.equal(true)
      expect(await scene.decide(fixture({ subject: bob, action: named('write') }))).to.equal(false)
    })

    it('accepts a context (2.2.3), additional properties (2.2.8) and unknown fields (2.2.9)', async () => {
      const context = { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' }
      expect(await scene.decide(fixture({ context }))).to.equal(true)
      const propertied = fixture({
        subject: { ...alice, properties: { department: 'Sales', role: 'manager' } },
        action: named('read', { method: 'GET' }),
        resource: record(1, { status: 'active', owner: 'bob' }),
      })
      expect(await scene.decide(propertied)).to.equal(true)
      expect(await scene.decide(fixture({ foo: 'bar', futureField: { nested: true } }))).to.equal(true)
    })

    it('uses the properties of the action (2.2.6, 2.2.7)', async () => {
      const paying = (transactionValue: number) =>
        fixture({ action: named('write', { transactionValue, currency: 'USD' }) })
      expect(await scene.decide(paying(5))).to.equal(true)
      expect(await scene.decide(paying(5_000))).to.equal(false)
    })

    it('uses the properties of the subject and of the resource (2.2.4, 2.2.5, 3.2.3, 3.2.4)', async () => {
      const archive = await registerEndpoint(scene.service.baseUrl, scene.shop.apiKey, {
        trustScoreRequirement: 0,
        pdlss: { purpose: { deniedActions: ['write'] }, scope: { deniedResources: ['record-2'] } },
      })
      try {
        const [open, archived] = [scene.svceId, archive].map((counterpartyId) =>
          record(2, { counterpartyId }),
        )
        const claiming = { ...alice, properties: { certifications: ['admin'] } }
        expect(await scene.decide(fixture({ action: named('write'), resource: open }))).to.equal(true)
        expect(await scene.decide(fixture({ action: named('write'), resource: archived }))).to.equal(false)
        expect(await scene.decide(fixture({ subject: claiming, resource: open }))).to.equal(false)
        const resources = [{ resource: open }, { resource: archived }]
        const batch = { subject: alice, action: named('write'), evaluations: resources }
        expect(await scene.decideAll(batch)).to.deep.equal([true, false])
        const subjects = [{ subject: claiming }, { subject: alice }]
        const each = { action: named('write'), resource: open, evaluations: subjects }
        expect(await scene.decideAll(each)).to.deep.equal([false, true])
      } finally {
        const id = `/api/endpoints/${archive}`
        await scene.call('POST', `${id}/deactivate`, { bearer: scene.shop.accessToken })
      }
    })

    for (const member of ['subject', 'action', 'resource']) {
      it(`rejects a request without ${member} with 400 (2.4.1)`, async () => {
        expect((await scene.post(EVALUATION, without(member))).status).to.equal(400)
      })
    }

    it('rejects missing parts and wrong types with 400, naming them (2.4.2, 2.4.6)', async () => {
      const CASES: [string, Json][] = [
        ['/subject/type', { subject: { id: 'alice' } }],
        ['/subject/id', { subject: { type: 'user' } }],
        ['/action/name', { action: {} }],
        ['/resource/type', { resource: { id: 'record-1' } }],
        ['/resource/id', { resource: { type: 'record' } }],
        ['/subject', { subject: 'alice' }],
        ['/action/name', { action: { name: 123 } }],
      ]
      for (const [pointer, changes] of CASES) {
        const { status, body } = await scene.post(EVALUATION, fixture(changes))
        expect([status, body.errors?.[0]?.pointer], pointer).to.deep.equal([400, pointer])
        expect(body.message).to.be.a('string')
      }
    })

    it('rejects anything but JSON with 400 (2.4.3, 2.4.4, 2.4.5)', async () => {
      const json = { 'content-type': 'application/json' }
      const CASES: [string, Record<string, string>][] = [
        [JSON.stringify(fixture()), { 'content-type': 'text/plain' }],
        [JSON.stringify(fixture()), { 'content-type': 'application/xml' }],
        ['{"subject":', json],
        ['', json],
        ['[]', json],
      ]
      for (const [body, headers] of CASES) {
        for (const path of [EVALUATION, EVALUATIONS]) {
          expect((await scene.raw(body, headers, path)).status, body).to.equal(400)
        }
      }
    })

    it('echoes any X-Request-ID, also with an error, and requires none (2.5)', async () => {
      for (const id of ['bfe9eb29-ab87-4ca3-be83-a1d5d8305716', 'any text {1}; of/theirs']) {
        for (const body of [fixture(), {}]) {
          const answer = await scene.post(EVALUATION, body, { 'X-Request-ID': id })
          expect(answer.headers.get('x-request-id')).to.equal(id)
        }
      }
      expect((await scene.post(EVALUATION, fixture())).status).to.equal(200)
    })

    it('is idempotent (2.6)', async () => {
      for (let nth = 0; nth < 5; nth += 1) {
        expect(await scene.decide(fixture())).to.equal(true)
        expect(await scene.decide(fixture({ subject: bob, action: named('write') }))).to.equal(false)
      }
    })

    it('rejects an unknown caller with 401, and one that does not own the endpoint with 403', async () => {
      expect((await scene.call('POST', EVALUATION, { body: fixture() })).status).to.equal(401)
      const other = await createOrganisation(scene.service.baseUrl)
      const bearer = other.apiKey
      const body = fixture({ resource: record(1, { counterpartyId: scene.svceId }) })
      expect((await scene.call('POST', EVALUATION, { bearer, body })).status).to.equal(403)
      const session = { bearer: scene.shop.accessToken, body: fixture() }
      expect((await scene.call('POST', EVALUATION, session)).status).to.equal(401)
    })
  })

  describe('Batch', () => {
    it('returns the evaluations in order (3.2.1, 3.2.2, 3.2.5, 3.3)', async () => {
      const resources = { evaluations: [{ resource: record(1) }, { resource: record(2) }] }
      expect(await scene.decideAll({ subject: alice, action: named('read'), ...resources })).to.have.length(2)
      const actions = { evaluations: [{ action: named('read') }, { action: named('write') }] }
      const bobs = { subject: bob, resource: record(1), ...actions }
      expect(await scene.decideAll(bobs)).to.deep.equal([true, false])
      expect((await scene.post(EVALUATIONS, bobs)).body).to.have.all.keys('evaluations')
      const whole = [fixture(), fixture({ subject: bob, action: named('write') })]
      expect(await scene.decideAll({ evaluations: whole })).to.deep.equal([true, false])
    })

    it('inherits the context, which an evaluation can replace (3.2.6)', async () => {
      const batch = {
        subject: alice,
        action: named('read'),
        resource: record(1),
        context: { minAccessLevel: 'internal' },
        evaluations: [{}, { context: { time: '2025-06-27T19:00-07:00' } }],
      }
      expect(await scene.decideAll(batch)).to.deep.equal([false, true])
    })

    it('applies the default type of a resource, and no other part of the default (3.2.7)', async () => {
      const batch = {
        subject: alice,
        action: named('write', { transactionValue: 5_000, currency: 'USD' }),
        resource: { type: 'record' },
        evaluations: [
          { resource: { id: 'record-1' }, action: named('write') },
          { resource: { id: 'record-9' }, action: named('write') },
          { resource: { id: 'record-1' }, action: { properties: { transactionValue: 1, currency: 'USD' } } },
        ],
      }
      expect(await scene.decideAll(batch)).to.deep.equal([true, false, true])
    })

    it('denies an invalid evaluation and decides the others (3.4.1)', async () => {
      const batch = {
        subject: alice,
        action: named('read'),
        evaluations: [{ resource: record(1) }, {}, 'nonsense', { resource: record(1), subject: 'alice' }],
      }
      const { status, body } = await scene.post(EVALUATIONS, batch)
      expect(status).to.equal(200)
      expect(body.evaluations.map((item: Json) => item.decision)).to.deep.equal([true, false, false, false])
      expect(body.evaluations[1].context.error).to.include({ status: 400, code: 'VALIDATION_ERROR' })
    })

    it('denies an evaluation at another account’s endpoint, without revealing whether it exists', async () => {
      const errors = []
      const other = await createOrganisation(scene.service.baseUrl)
      const theirs = await registerEndpoint(scene.service.baseUrl, other.apiKey)
      for (const counterpartyId of [theirs, 'SVCE-0000000000000000000000']) {
        const evaluations = [{ resource: record(1, { counterpartyId }) }]
        const { body } = await scene.post(EVALUATIONS, { subject: alice, action: named('read'), evaluations })
        expect(body.evaluations[0].decision).to.equal(false)
        errors.push(body.evaluations[0].context.error)
      }
      expect(errors[0])
        .to.include({ status: 403, code: 'COUNTERPARTY_KEY_MISMATCH' })
        .and.deep.equal(errors[1])
    })

    it('is a single evaluation if the array is missing or empty (3.4.2, 3.4.3)', async () => {
      for (const more of [{}, { evaluations: [] }]) {
        const { status, body } = await scene.post(EVALUATIONS, fixture(more))
        expect(status).to.equal(200)
        expect(body).to.include({ decision: true }).and.not.have.property('evaluations')
        expect((await scene.post(EVALUATIONS, { ...without('subject'), ...more })).status).to.equal(400)
      }
    })

    it('stops as options.evaluations_semantic requires, and evaluates nothing after that', async () => {
      const actions = ['read', 'write', 'read'].map((name) => ({ action: named(name) }))
      const batch = (semantic: string, evaluations: Json[] = actions) => ({
        subject: bob,
        resource: record(1),
        options: { evaluations_semantic: semantic, other: 'ignored' },
        evaluations,
      })
      const recorded = async () => {
        // Counts verifications only, because the publication of an agent’s registration file is recorded at some point too.
        const sql = "SELECT COUNT(*) AS n FROM audit_records WHERE event_type LIKE 'verification.%'"
        return Number((await scene.service.rows<{ n: unknown }>(sql))[0]?.n)
      }
      expect(await scene.decideAll(batch('execute_all'))).to.deep.equal([true, false, true])
      const before = await recorded()
      expect(await scene.decideAll(batch('deny_on_first_deny'))).to.deep.equal([true, false])
      expect(await scene.decideAll(batch('permit_on_first_permit'))).to.deep.equal([true])
      const denyFirst = [{ action: named('write') }, {}, ...actions]
      expect(await scene.decideAll(batch('permit_on_first_permit', denyFirst))).to.deep.equal([
        false,
        false,
        true,
      ])
      expect((await recorded()) - before).to.equal(5)
      expect((await scene.post(EVALUATIONS, batch('sometimes'))).status).to.equal(400)
    })

    it('rejects an invalid batch with 400', async () => {
      const evaluations = [{ resource: record(1) }]
      const subject = 'alice'
      expect(
        (await scene.post(EVALUATIONS, { subject, action: named('read'), evaluations })).status,
      ).to.equal(400)
      expect((await scene.post(EVALUATIONS, fixture({ evaluations: {} }))).status).to.equal(400)
      expect((await scene.post(EVALUATIONS, fixture({ evaluations: Array(101).fill({}) }))).status).to.equal(
        400,
      )
    })
  })

  it('Discovery: publishes its URLs without a credential (6)', async () => {
    const { status, body, headers } = await scene.call('GET', '/.well-known/authzen-configuration')
    expect([status, headers.get('content-type')?.split(';')[0]]).to.deep.equal([200, 'application/json'])
    const base = body.policy_decision_point
    expect(body).to.deep.equal({
      policy_decision_point: base,
      access_evaluation_endpoint: `${base}${EVALUATION}`,
      access_evaluations_endpoint: `${base}${EVALUATIONS}`,
    })
    expect((await scene.call('GET', EVALUATION)).status).to.equal(405)
  })
})
