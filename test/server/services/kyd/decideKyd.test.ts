import { COMPARISONS } from '@svc/core/kyd/comparisons.ts'
import { expect } from 'chai'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { encodePng } from '../../../builders/pictures.ts'
import { postKyd } from '../../../builders/postKyd.ts'
import { signInOperator } from '../../../builders/signInOperator.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type KydScene, openKydScene } from './openKydScene.ts'

describe('know-your-developer', () => {
  let scene: KydScene
  let reviewer: Awaited<ReturnType<typeof signInOperator>>

  before(async () => {
    scene = await openKydScene()
    reviewer = await signInOperator(scene.baseUrl)
  })
  after(() => scene?.service.stop())

  const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

  it('shows an operator the data to compare', async () => {
    const { caseId, user } = await scene.applicant()
    const { body } = await reviewer.call('GET', `/${caseId}`)
    expect(body.case).to.deep.equal({
      id: caseId,
      status: 'pending',
      developerId: user.developerId,
      email: user.email,
      fullName: user.fullName,
      reason: null,
      compared: null,
      submittedAt: new Date(scene.now).toISOString(),
      decidedAt: null,
      decidedBy: null,
      documentsDeletedAt: null,
      isOwn: false,
      mrz: {
        issuer: 'UTO',
        surname: 'ERIKSSON',
        givenNames: 'ANNA MARIA',
        documentNumber: 'L898902C3',
        nationality: 'UTO',
        birthDate: '1974-08-12',
        sex: 'F',
        expiryDate: '2035-04-15',
      },
      documents: [
        { kind: 'passport', mediaType: 'image/jpeg', width: 640, height: 480 },
        { kind: 'selfie', mediaType: 'image/png', width: 300, height: 400 },
      ],
    })
  })

  it('serves the pictures for viewing only, uncached and unable to run scripts', async () => {
    const { caseId } = await scene.applicant()
    const path = `${scene.baseUrl}/api/admin/kyd/${caseId}/documents/selfie`
    const answer = await fetch(path, { headers: { authorization: `Bearer ${reviewer.bearer}` } })
    expect(Object.fromEntries(answer.headers)).to.include({
      'content-type': 'image/png',
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="selfie.png"',
      'content-security-policy': `default-src 'none'; sandbox`,
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(encodePng(300, 400))).to.equal(true)
  })

  it('lists pending cases in order of arrival, in pages, and decided ones newest first', async () => {
    const cases = []
    for (let person = 0; person < 3; person += 1) cases.push((await scene.applicant()).caseId)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await reviewer.call('GET', `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(body.items.length).to.be.within(1, 2)
      seen.push(...body.items.map(({ id }: { id: string }) => id))
      cursor = body.nextCursor
    }
    expect(seen.slice(-3)).to.deep.equal(cases)
    expect(new Set(seen).size).to.equal(seen.length)
    for (const caseId of cases) await reviewer.decide(caseId, 'The picture is blurred.')
    const rejected = (await reviewer.call('GET', '?status=rejected')).body.items
    expect(rejected.slice(0, 3).map(({ id }: { id: string }) => id)).to.deep.equal([...cases].reverse())
    expect(codeOf(await reviewer.call('GET', '?status=none'))).to.deep.equal([400, 'VALIDATION_ERROR'])
    expect(codeOf(await reviewer.call('GET', '?cursor=x'))).to.deep.equal([400, 'VALIDATION_ERROR'])
  })

  describe('an approval', () => {
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
        return items.some(({ eventType }: { eventType: string }) => eventType === 'kyd.approved')
          ? true
          : null
      })
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

  describe('a rejection', () => {
    it('gives the reason, and allows another attempt', async () => {
      const { caseId, state, submit, user, bearer } = await scene.applicant()
      expect((await reviewer.decide(caseId, '  The picture is blurred.  ')).status).to.equal(200)
      expect(await state()).to.include({ status: 'rejected', reason: 'The picture is blurred.' })
      const me = await scene.call('GET', '/api/me', { bearer })
      expect(me.body.user.kydStatus).to.equal('none')
      expect(await scene.documentsOf(caseId)).to.deep.equal([])
      expect((await submit()).status).to.equal(201)
      expect(await state()).to.include({ status: 'pending', reason: null })
      await reviewer.decide(await scene.newestCase(user.id))
      expect(await state()).to.include({ status: 'approved' })
    })

    for (const [name, body] of [
      ['no reason', {}],
      ['an empty one', { reason: '  ' }],
      ['one that is too long', { reason: 'x'.repeat(1001) }],
      ['more than a reason', { reason: 'It is blurred.', status: 'approved' }],
    ] as const) {
      it(`cannot be made with ${name}`, async () => {
        const { caseId, state } = await scene.applicant()
        const headers = { 'x-svc-elevation': await reviewer.elevation() }
        expect(codeOf(await reviewer.call('POST', `/${caseId}/reject`, { headers, body }))).to.deep.equal([
          400,
          'VALIDATION_ERROR',
        ])
        expect(await state()).to.include({ status: 'pending' })
      })
    }
  })

  describe('a decision', () => {
    it('is made once, also when two are concurrent', async () => {
      const { caseId, state, user } = await scene.applicant()
      // Assertions are made one after another, because a passkey counts them; the decisions are concurrent.
      const approving = { 'x-svc-elevation': await reviewer.elevation() }
      const rejecting = { 'x-svc-elevation': await reviewer.elevation() }
      const reason = 'It is blurred.'
      const answers = await Promise.all([
        reviewer.call('POST', `/${caseId}/approve`, {
          headers: approving,
          body: { compared: [...COMPARISONS] },
        }),
        reviewer.call('POST', `/${caseId}/reject`, { headers: rejecting, body: { reason } }),
      ])
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409])
      const { status } = await state()
      expect(codeOf(await reviewer.decide(caseId))).to.deep.equal([409, 'INVALID_STATE'])
      expect((await state()).status).to.equal(status)
      const records = await scene.rows(
        `SELECT record_id FROM audit_records WHERE event_type LIKE 'kyd.%' AND owner_id = ?`,
        user.developerId,
      )
      expect(records).to.have.length(1)
    })

    it('requires a fresh passkey', async () => {
      const { caseId, state } = await scene.applicant()
      for (const [path, body] of [
        ['approve', { compared: [...COMPARISONS] }],
        ['reject', { reason: 'It is blurred.' }],
      ] as const) {
        const answer = await reviewer.call('POST', `/${caseId}/${path}`, { body })
        expect(codeOf(answer)).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      }
      expect(await state()).to.include({ status: 'pending' })
    })

    it('cannot concern the operator’s own case', async () => {
      await postKyd(scene.baseUrl, reviewer.bearer)
      const caseId = await scene.newestCase(reviewer.user.id)
      expect((await reviewer.call('GET', `/${caseId}`)).body.case.isOwn).to.equal(true)
      expect(codeOf(await reviewer.decide(caseId))).to.deep.equal([403, 'FORBIDDEN'])
      expect(codeOf(await reviewer.decide(caseId, 'It is blurred.'))).to.deep.equal([403, 'FORBIDDEN'])
    })

    it('requires the operator role, which is checked before the passkey', async () => {
      const { caseId, bearer } = await scene.applicant()
      const { elevation } = await enrolPasskey(scene.baseUrl, bearer)
      const fresh: Record<string, string> = { 'x-svc-elevation': await elevation() }
      for (const headers of [{}, fresh]) {
        for (const [method, path] of [
          ['GET', ''],
          ['GET', `/${caseId}`],
          ['GET', `/${caseId}/documents/passport`],
          ['POST', `/${caseId}/approve`],
          ['POST', `/${caseId}/reject`],
        ] as const) {
          const answer = await scene.call(method, `/api/admin/kyd${path}`, { bearer, headers })
          expect(codeOf(answer)).to.deep.equal([403, 'FORBIDDEN'])
        }
      }
    })

    it('requires a case', async () => {
      const unknown = '00000000-0000-7000-8000-000000000000'
      expect(codeOf(await reviewer.decide(unknown))).to.deep.equal([404, 'NOT_FOUND'])
      expect(codeOf(await reviewer.call('GET', `/${unknown}`))).to.deep.equal([404, 'NOT_FOUND'])
      expect(codeOf(await reviewer.call('GET', `/${unknown}/documents/selfie`))).to.deep.equal([
        404,
        'NOT_FOUND',
      ])
      const { caseId } = await scene.applicant()
      expect(codeOf(await reviewer.call('GET', `/${caseId}/documents/visa`))).to.deep.equal([
        404,
        'NOT_FOUND',
      ])
    })
  })

  it('does not decrypt a document that was moved to another case', async () => {
    const [first, second] = [await scene.applicant(), await scene.applicant('X12345678')]
    await scene.rows(
      'UPDATE kyd_cases SET mrz_sealed = (SELECT mrz_sealed FROM kyd_cases WHERE id = ?) WHERE id = ?',
      first.caseId,
      second.caseId,
    )
    expect((await reviewer.call('GET', `/${second.caseId}`)).status).to.equal(500)
    await scene.rows('DELETE FROM kyd_documents WHERE case_id = ?', second.caseId)
    await scene.rows('UPDATE kyd_documents SET case_id = ? WHERE case_id = ?', second.caseId, first.caseId)
    expect((await reviewer.call('GET', `/${second.caseId}/documents/selfie`)).status).to.equal(500)
  })
})
