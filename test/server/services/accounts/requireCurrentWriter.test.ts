import { expect } from 'chai'
import { createWriteAs } from '../../../../server/compose/createWriteAs.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'
import { openPasskeys } from '../passkeys/openPasskeys.ts'

const MISSING = '00000000-0000-4000-8000-000000000000'

type Prepared = { agent: string; endpoint: string; approval: string; assert: () => object; request: string }
type Change = (of: Prepared) => [method: string, path: string, body?: object]

/** Changes of what an organisation has, each with what identifies it in the test's name. */
const CHANGES: Record<string, Change> = {
  'approve a purchase': ({ approval, assert }) => [
    'POST',
    `/api/step-up-approvals/${approval}/approve`,
    { response: assert() },
  ],
  'deny a purchase': ({ approval }) => ['POST', `/api/step-up-approvals/${approval}/deny`],
  'change approval rules': ({ agent }) => [
    'PUT',
    `/api/agents/${agent}/approval-rules`,
    { rules: [{ dimension: 'purpose', match: { categories: ['shopping'] } }] },
  ],
  'end what was approved in advance': ({ agent }) => [
    'DELETE',
    `/api/agents/${agent}/approval-rules/${MISSING}`,
  ],
  'change settings': ({ agent }) => ['PUT', `/api/agents/${agent}/settings`, { requiredFacts: ['purpose'] }],
  'suspend an agent': ({ agent }) => ['POST', `/api/agents/${agent}/suspend`],
  'add a key': ({ agent }) => ['POST', `/api/agents/${agent}/keys`, { key: createAgentKey().jwk }],
  'rename an agent': ({ agent }) => ['PATCH', `/api/agents/${agent}`, { name: 'Renamed' }],
  'change an endpoint': ({ endpoint }) => ['PUT', `/api/endpoints/${endpoint}`, { name: 'Renamed' }],
  'admit an owner': ({ endpoint }) => [
    'POST',
    `/api/endpoints/${endpoint}/allowlist`,
    { allowedOwnerIdentifier: 'SVCD-0000000000000000000000' },
  ],
  'admit an owner no longer': ({ endpoint }) => ['DELETE', `/api/endpoints/${endpoint}/allowlist/${MISSING}`],
  'deactivate an endpoint': ({ endpoint }) => ['POST', `/api/endpoints/${endpoint}/deactivate`],
  'set a webhook': ({ endpoint }) => [
    'POST',
    `/api/endpoints/${endpoint}/webhook`,
    { url: 'https://hooks.acme.io/' },
  ],
  'rotate the secret of a webhook': ({ endpoint }) => ['POST', `/api/endpoints/${endpoint}/rotate-secret`],
  'send a test event': ({ endpoint }) => ['POST', `/api/endpoints/${endpoint}/test-webhook`],
  'send an event again': ({ endpoint }) => [
    'POST',
    `/api/endpoints/${endpoint}/webhook/deliveries/${MISSING}/redeliver`,
  ],
  'deny a registration': ({ request }) => ['POST', `/api/registration-requests/${request}/deny`],
}

describe('a change by somebody whose rights have just ended in another process', () => {
  let scene: OwnerScene
  let ada: Owner
  let organizationId: string
  let prepared: Prepared
  let elevation: string

  before(async () => {
    scene = await openOwnerScene()
    const boss = await scene.owner()
    ada = await scene.owner()
    organizationId = await boss.organizationWith([[ada, 'admin']])
    const agent = await ada.agent({}, organizationId)
    const { approvalId: approval } = await scene.asked(agent)
    const { assertionOptions } = await ada.readApproval(approval)
    await scene.store('UPDATE endpoints SET owner_id = ? WHERE svce_id = ?', organizationId, scene.svceId)
    await scene.store(
      `UPDATE endpoints SET webhook_url = 'https://hooks.acme.io/' WHERE svce_id = ?`,
      scene.svceId,
    )
    await scene.store('UPDATE users SET kyd_verified_at = 1')
    const { key } = (await boss.call('POST', '/api/api-keys', { body: { name: 'key', organizationId } })).body
    const asked = await scene.call('POST', '/api/agents/register', { bearer: key, body: { name: 'Waits' } })
    expect(asked.status, JSON.stringify(asked.body)).to.equal(202)
    elevation = await ada.elevation()
    const assert = () => ada.authenticator.assert(assertionOptions)
    prepared = { agent, endpoint: scene.svceId, approval, assert, request: asked.body.requestId }
  })
  after(() => scene?.service.stop())

  const ENDS = [
    [
      'whose session ended',
      () => scene.store('UPDATE sessions SET ended_at = 1 WHERE user_id = ?', ada.userId),
      () => scene.store('UPDATE sessions SET ended_at = NULL WHERE user_id = ?', ada.userId),
      [401, 'UNAUTHENTICATED'],
    ],
    [
      'who was removed',
      () => scene.store(`UPDATE memberships SET status = 'suspended' WHERE user_id = ?`, ada.userId),
      () => scene.store(`UPDATE memberships SET status = 'active' WHERE user_id = ?`, ada.userId),
      [403, 'FORBIDDEN'],
    ],
    [
      'who may only read now',
      () => scene.store(`UPDATE memberships SET role = 'viewer' WHERE user_id = ?`, ada.userId),
      () => scene.store(`UPDATE memberships SET role = 'admin' WHERE user_id = ?`, ada.userId),
      [403, 'FORBIDDEN'],
    ],
    [
      'whose organisation was suspended',
      () => scene.store(`INSERT INTO interventions VALUES (?, 'A reason', 'SVCD-1', 1)`, organizationId),
      () => scene.store('DELETE FROM interventions WHERE subject_id = ?', organizationId),
      [403, 'ORGANIZATION_SUSPENDED'],
    ],
  ] as const

  /** Written beside the service, as another process does before its notification arrives. */
  for (const [who, end, undo, expected] of ENDS) {
    describe(`a member ${who}`, () => {
      before(() => end())
      after(() => undo())

      for (const [what, build] of Object.entries(CHANGES)) {
        it(`does not ${what}`, async () => {
          const [method, path, body] = build(prepared)
          const headers = { 'X-Svc-Elevation': elevation }
          const answer = await ada.call(method, path, { headers, ...(body ? { body } : {}) })
          expect([answer.status, answer.body.code]).to.deep.equal(expected)
        })
      }
    })
  }

  describe('of an account', () => {
    before(() => ENDS[0][1]())
    after(() => ENDS[0][2]())

    it('creates no organisation', async () => {
      const { status } = await ada.call('POST', '/api/organizations', { body: { name: 'Acme' } })
      expect(status).to.equal(401)
    })

    it('confirms no authenticator app', async () => {
      const { status } = await ada.call('POST', '/api/auth/mfa/totp/confirm', { body: { code: '123456' } })
      expect(status).to.equal(401)
    })
  })
})

describe('a change that a passkey confirmed', () => {
  it('is refused if the passkey was removed meanwhile', async () => {
    const { accounts, person, enrol } = await openPasskeys()
    const owner = await person()
    await enrol(owner)
    const [{ credential_id: credentialId }] = await accounts.db.query('passkeys').select('credential_id')
    const principal = await accounts.authenticators.accessToken(
      owner.accessToken,
      undefined,
      accounts.time.now,
    )
    if (principal === null) throw new Error('expected a session')
    const writer = { principal, ownerId: owner.developerId, credentialId }
    const check = () =>
      createWriteAs(accounts.db)(writer, 'alone', async () => 'accepted').catch(({ code }) => code)
    const before = await check()
    await accounts.db.query('passkeys').delete()
    expect([before, await check()]).to.deep.equal(['accepted', 'PASSKEY_REJECTED'])
    await accounts.close()
  })
})
