import { expect } from 'chai'
import { createOrganisation } from '../../../builders/participants.ts'
import { OPERATOR_SETTINGS, signInOperator } from '../../../builders/signInOperator.ts'
import { MINUTE_MS, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const GRACE_MS = 30 * 24 * 60 * MINUTE_MS

describe('DELETE /api/me', () => {
  let scene: OwnerScene
  before(async () => {
    scene = await openOwnerScene(OPERATOR_SETTINGS)
  })
  after(() => scene.service.stop())

  it('schedules the erasure in 30 days, which the account shows and a mail reports', async () => {
    const owner = await scene.owner({ withPasskey: false })
    const asked = await owner.call('DELETE', '/api/me')
    const erasureAt = new Date(scene.time.now + GRACE_MS).toISOString()
    expect([asked.status, asked.body.erasureAt]).to.deep.equal([200, erasureAt])
    expect((await owner.call('GET', '/api/me')).body.erasureAt).to.equal(erasureAt)
    const mails = await scene.store('SELECT template FROM mail_outbox WHERE recipient = ?', owner.email)
    expect(mails).to.deep.include({ template: 'erasure_requested' })
  })

  it('does not move the day when it is repeated', async () => {
    const owner = await scene.owner({ withPasskey: false })
    const first = await owner.call('DELETE', '/api/me')
    scene.time.now += MINUTE_MS
    const second = await owner.call('DELETE', '/api/me')
    expect(second.body.erasureAt).to.equal(first.body.erasureAt)
  })

  it('ends the other sessions, and leaves API keys as they are', async () => {
    const person = await createOrganisation(scene.baseUrl)
    const { body } = await scene.call('GET', '/api/me', { bearer: person.accessToken })
    const signedIn = await scene.call('POST', '/api/auth/login', {
      body: { email: body.user.email, password: 'correct horse battery' },
    })
    const bearer = signedIn.body.data.accessToken
    expect((await scene.call('DELETE', '/api/me', { bearer })).status).to.equal(200)
    expect((await scene.call('GET', '/api/me', { bearer: person.accessToken })).status).to.equal(401)
    expect((await scene.call('GET', '/api/me', { bearer })).status).to.equal(200)
    const bySvc = await scene.verify(
      { agentId: 'SVC-1111111111111111111111', counterpartyId: scene.svceId },
      person,
    )
    expect(bySvc.status).to.not.equal(401)
  })

  it('needs a fresh assertion of an account that has a passkey', async () => {
    const owner = await scene.owner()
    const plain = await owner.call('DELETE', '/api/me')
    expect([plain.status, plain.body.code]).to.deep.equal([403, 'ELEVATION_REQUIRED'])
    const headers = { 'x-svc-elevation': await owner.elevation() }
    expect((await owner.call('DELETE', '/api/me', { headers })).status).to.equal(200)
  })

  it('needs a recent sign-in of an account without a passkey', async () => {
    const owner = await scene.owner({ withPasskey: false })
    scene.time.now += 5 * MINUTE_MS + 1
    const late = await owner.call('DELETE', '/api/me')
    expect([late.status, late.body.code]).to.deep.equal([403, 'ELEVATION_REQUIRED'])
    expect(late.body.detail).to.contain('sign in again')
  })

  it('says what to do to the only owner of an organisation with other members', async () => {
    const member = await scene.owner({ withPasskey: false })
    const owner = await scene.owner({ withPasskey: false })
    const organizationId = await owner.organizationWith([[member, 'admin']])
    const refused = await owner.call('DELETE', '/api/me')
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'INVALID_STATE'])
    expect(refused.body.detail).to.contain('no other owner who stays')
    const members = `/api/organizations/${organizationId}/members`
    await owner.call('PATCH', `${members}/${member.userId}`, { body: { role: 'owner' } })
    expect((await owner.call('DELETE', '/api/me')).status).to.equal(200)
  })

  it('counts no owner who is about to be erased or is suspended by an operator', async () => {
    const other = await scene.owner({ withPasskey: false })
    const owner = await scene.owner({ withPasskey: false })
    await owner.organizationWith([[other, 'owner']])
    expect((await other.call('DELETE', '/api/me')).status).to.equal(200)
    expect((await owner.call('DELETE', '/api/me')).status).to.equal(409)
    expect((await other.call('POST', '/api/me/keep')).status).to.equal(200)
    await scene.store(
      `INSERT INTO interventions (subject_id, reason, decided_by, decided_at)
       SELECT developer_id, 'spam', 'SVCD-x', 1 FROM users WHERE id = ?`,
      other.userId,
    )
    expect((await owner.call('DELETE', '/api/me')).status).to.equal(409)
    await scene.store('DELETE FROM interventions WHERE decided_by = ?', 'SVCD-x')
    expect((await owner.call('DELETE', '/api/me')).status).to.equal(200)
  })

  it('is refused to the last operator', async () => {
    const operator = await signInOperator(scene.baseUrl)
    const headers = { 'x-svc-elevation': await operator.elevation() }
    const refused = await scene.call('DELETE', '/api/me', { bearer: operator.bearer, headers })
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'INVALID_STATE'])
  })

  describe('POST /api/me/keep', () => {
    it('keeps the account until the erasure begins', async () => {
      const owner = await scene.owner({ withPasskey: false })
      await owner.call('DELETE', '/api/me')
      expect((await owner.call('POST', '/api/me/keep')).status).to.equal(200)
      expect((await owner.call('GET', '/api/me')).body.erasureAt).to.equal(null)
      const again = await owner.call('POST', '/api/me/keep')
      expect([again.status, again.body.code]).to.deep.equal([409, 'INVALID_STATE'])
    })

    it('is refused once the erasure has begun', async () => {
      const owner = await scene.owner({ withPasskey: false })
      await owner.call('DELETE', '/api/me')
      await scene.store(`UPDATE account_erasures SET step = 'agents' WHERE user_id = ?`, owner.userId)
      expect((await owner.call('POST', '/api/me/keep')).status).to.equal(409)
    })
  })
})
