import { COMPARISONS } from '@svc/core/kyd/comparisons.ts'
import { expect } from 'chai'
import { registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { signInOperator } from '../../../builders/signInOperator.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { codeOf, type KydScene, openKydScene } from './openKydScene.ts'

describe('the approval of a developer', () => {
  let scene: KydScene
  let reviewer: Awaited<ReturnType<typeof signInOperator>>

  before(async () => {
    scene = await openKydScene()
    reviewer = await signInOperator(scene.baseUrl)
  })
  after(() => scene?.service.stop())

  it('verifies the identity, notifies its owner and deletes all documents', async () => {
    const { caseId, user, state, bearer, submit } = await scene.applicant()
    const answer = await reviewer.decide(caseId)
    const { case: decided } = answer.body
    expect([answer.status, decided.status, decided.decidedBy]).to.deep.equal([
      200,
      'approved',
      reviewer.user.developerId,
    ])
    const at = new Date(scene.now).toISOString()
    const approved = {
      status: 'approved',
      reason: null,
      submittedAt: at,
      decidedAt: at,
      documentsDeletedAt: at,
    }
    expect(await state()).to.deep.equal(approved)
    const me = (await scene.call('GET', '/api/me', { bearer })).body
    expect([me.kyd, me.user.kydStatus]).to.deep.equal([approved, 'verified'])
    const alerts = (await scene.call('GET', '/api/alerts', { bearer })).body.items
    expect(alerts.map(({ code }: { code: string }) => code)).to.include('kyd.approved')
    const mails = await scene.rows<{ template: string }>(
      `SELECT template FROM mail_outbox WHERE recipient = ? AND template = 'kyd_decided'`,
      user.email,
    )
    expect(mails).to.have.length(1)
    expect(await scene.documentsOf(caseId)).to.deep.equal([])
    expect((await reviewer.call('GET', `/${caseId}`)).body.case).to.include({
      mrz: null,
      documentsDeletedAt: at,
    })
    expect(codeOf(await reviewer.call('GET', `/${caseId}/documents/selfie`))).to.deep.equal([410, 'GONE'])
    expect(codeOf(await submit())).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('raises the score of the owner’s agents in the next verification', async () => {
    const person = await scene.applicant()
    const svceId = await registerEndpoint(scene.baseUrl, person.apiKey)
    const { svcId } = await registerAgent(scene.baseUrl, {}, { timestamp: scene.now / 1000 })
    await scene.rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', person.user.developerId, svcId)
    const score = async (): Promise<number> => {
      const verified = await scene.call('POST', '/api/agents/verify-access', {
        bearer: person.apiKey,
        body: { agentId: svcId, counterpartyId: svceId },
      })
      expect(verified.body.agent.svcId).to.equal(svcId)
      return verified.body.agent.trustScore
    }
    const before = await score()
    await reviewer.decide(person.caseId)
    expect(await score()).to.be.greaterThan(before)
  })

  it('lets identities of the owner’s agents no longer wait for the strangers’ share of the gas', async () => {
    const { caseId, user } = await scene.applicant()
    await scene.rows(
      `INSERT INTO relayer_intents (idempotency_key, kind, payload, status, stranger_id, next_attempt_at, created_at, updated_at)
       VALUES ('mint:waiting', 'identity.mint', '{}', 'queued', ?, ?, 1, 1)`,
      user.id,
      scene.now + 3_600_000,
    )
    await reviewer.decide(caseId)
    const waiting = await scene.rows<{ stranger_id: string | null }>(
      `SELECT stranger_id FROM relayer_intents WHERE idempotency_key = 'mint:waiting'`,
    )
    expect(waiting).to.deep.equal([{ stranger_id: null }])
  })

  it('is recorded with the operator, the time and what was compared, and nothing about the person', async () => {
    const { caseId, user, bearer } = await scene.applicant()
    await reviewer.decide(caseId)
    const records = await scene.rows<{ event_data: string; inputs: string; owner_id: string }>(
      `SELECT event_data, inputs, owner_id FROM audit_records WHERE event_type = 'kyd.approved' AND owner_id = ?`,
      user.developerId,
    )
    expect(records).to.have.length(1)
    expect(JSON.parse(records[0]?.event_data ?? '')).to.deep.equal({
      caseId,
      decidedBy: reviewer.user.developerId,
      compared: ['faces', 'zone', 'name', 'document'],
    })
    expect(JSON.stringify(records)).not.to.match(/L898902C3|ERIKSSON/)
    await waitUntil(async () => {
      const { items } = (await scene.call('GET', '/api/activity', { bearer })).body
      return items.some(({ eventType }: { eventType: string }) => eventType === 'kyd.approved') ? true : null
    })
  })

  for (const [name, body] of [
    ['after comparing nothing', { compared: [] }],
    ['after comparing only a part', { compared: ['faces', 'zone', 'name'] }],
    ['after comparing something four times', { compared: ['faces', 'faces', 'faces', 'faces'] }],
    ['after comparing something unknown', { compared: [...COMPARISONS.slice(0, 3), 'shoes'] }],
  ] as const) {
    it(`cannot be approved ${name}`, async () => {
      const { caseId, state } = await scene.applicant()
      const headers = { 'x-svc-elevation': await reviewer.elevation() }
      const answer = await reviewer.call('POST', `/${caseId}/approve`, { headers, body })
      expect(codeOf(answer)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(await state()).to.include({ status: 'pending' })
    })
  }

  it('can be approved by a client that does not say what was compared', async () => {
    const { caseId, state } = await scene.applicant()
    const headers = { 'x-svc-elevation': await reviewer.elevation() }
    const answer = await reviewer.call('POST', `/${caseId}/approve`, { headers })
    expect([answer.status, answer.body.case?.compared]).to.deep.equal([200, null])
    expect(await state()).to.include({ status: 'approved' })
  })

  it('shows operators afterwards what was compared', async () => {
    const { caseId } = await scene.applicant()
    await reviewer.decide(caseId)
    const { case: decided } = (await reviewer.call('GET', `/${caseId}`)).body
    expect(decided.compared).to.deep.equal(['faces', 'zone', 'name', 'document'])
    const rejected = await scene.applicant()
    await reviewer.decide(rejected.caseId, 'It is blurred.')
    expect((await reviewer.call('GET', `/${rejected.caseId}`)).body.case.compared).to.equal(null)
  })
})
