import { COMPARISONS } from '@svc/core/kyd/comparisons.ts'
import { expect } from 'chai'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { encodePng } from '../../../builders/pictures.ts'
import { postKyd } from '../../../builders/postKyd.ts'
import { signInOperator } from '../../../builders/signInOperator.ts'
import { codeOf, type KydScene, openKydScene } from './openKydScene.ts'

describe('know-your-developer', () => {
  let scene: KydScene
  let reviewer: Awaited<ReturnType<typeof signInOperator>>

  before(async () => {
    scene = await openKydScene()
    reviewer = await signInOperator(scene.baseUrl)
  })
  after(() => scene?.service.stop())

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
