import { expect } from 'chai'
import { TABLE } from '../../../../server/routes/index.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { registerAgent } from '../../../builders/participants.ts'
import { type OperatorScene, openOperatorScene, outcomeOf } from './openOperatorScene.ts'

const MISSING = '00000000-0000-4000-8000-000000000000'
const MISSING_KEY = 'A'.repeat(43)
const ADDRESS = `0x${'11'.repeat(20)}`
const ADOPTED = { token: `eip155:1:${ADDRESS}/1` }
const ASSERTION = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
}

type Ids = Record<'agent' | 'endpoint' | 'invitation' | 'alert' | 'approval' | 'request', string>

/** Every change that a member can make with a session: method, then path and body. */
const CHANGES: [string, (of: Ids, organizationId: string) => [string, object?]][] = [
  ['PATCH', ({ agent }) => [`/api/agents/${agent}`, { name: 'Changed' }]],
  ['POST', ({ agent }) => [`/api/agents/${agent}/suspend`]],
  ['POST', ({ agent }) => [`/api/agents/${agent}/resume`]],
  ['POST', ({ agent }) => [`/api/agents/${agent}/retire`]],
  ['POST', ({ agent }) => [`/api/agents/${agent}/hand-over`, { address: `0x${'11'.repeat(20)}` }]],
  ['PUT', ({ agent }) => [`/api/agents/${agent}/approval-rules`, { rules: [] }]],
  ['PUT', ({ agent }) => [`/api/agents/${agent}/settings`, { requiredFacts: ['purpose'] }]],
  ['POST', ({ agent }) => [`/api/agents/${agent}/keys`, { key: createAgentKey().jwk }]],
  ['DELETE', ({ agent }) => [`/api/agents/${agent}/keys/${MISSING_KEY}`]],
  ['DELETE', ({ agent }) => [`/api/agents/${agent}/accounts/0x${'11'.repeat(20)}`]],
  ['DELETE', ({ agent }) => [`/api/agents/${agent}/approval-rules/${MISSING}`]],
  ['POST', ({ agent }) => [`/api/agents/${agent}/credentials/challenge`]],
  ['DELETE', ({ agent }) => [`/api/agents/${agent}/credentials/${MISSING}`]],
  ['PUT', ({ endpoint }) => [`/api/endpoints/${endpoint}`, { name: 'Changed' }]],
  ['POST', ({ endpoint }) => [`/api/endpoints/${endpoint}/claim`, { name: 'Changed' }]],
  ['POST', ({ endpoint }) => [`/api/endpoints/${endpoint}/archive`]],
  ['POST', ({ endpoint }) => [`/api/endpoints/${endpoint}/verify-domain`]],
  ['POST', ({ endpoint }) => [`/api/endpoints/${endpoint}/test-webhook`]],
  ['POST', ({ endpoint }) => [`/api/endpoints/${endpoint}/webhook/deliveries/${MISSING}/redeliver`]],
  ['DELETE', ({ endpoint }) => [`/api/endpoints/${endpoint}/webhook`]],
  ['DELETE', ({ endpoint }) => [`/api/endpoints/${endpoint}/allowlist/${MISSING}`]],
  ['POST', ({ endpoint }) => [`/api/endpoints/${endpoint}/deactivate`]],
  ['POST', ({ endpoint }) => [`/api/endpoints/${endpoint}/rotate-secret`]],
  ['POST', ({ endpoint }) => [`/api/endpoints/${endpoint}/webhook`, { url: 'https://hooks.acme.io/' }]],
  [
    'POST',
    ({ endpoint }) => [
      `/api/endpoints/${endpoint}/allowlist`,
      { allowedOwnerIdentifier: 'SVCD-0000000000000000000000' },
    ],
  ],
  ['POST', (_, organizationId) => ['/api/api-keys', { name: 'new', organizationId }]],
  ['POST', (_, id) => [`/api/organizations/${id}/members`, { email: 'new@people.io', role: 'member' }]],
  ['PATCH', ({ invitation }, id) => [`/api/organizations/${id}/members/${invitation}`, { role: 'viewer' }]],
  ['DELETE', ({ invitation }, id) => [`/api/organizations/${id}/members/${invitation}`]],
  ['POST', ({ alert }) => [`/api/alerts/${alert}/read`]],
  ['POST', ({ alert }) => ['/api/alerts/read', { alertIds: [alert] }]],
  [
    'POST',
    ({ agent }) => [
      `/api/agents/${agent}/credentials`,
      { type: 'did', value: 'did:key:z', challenge: 'challenge' },
    ],
  ],
  ['POST', (_, organizationId) => ['/api/agents/adopt/statement', { ...ADOPTED, organizationId }]],
  [
    'POST',
    (_, organizationId) => [
      '/api/agents/adopt',
      { ...ADOPTED, organizationId, expiresAt: 1, signature: '0x00' },
    ],
  ],
  [
    'POST',
    ({ approval }) => [`/api/step-up-approvals/${approval}/options`, { standing: { amount: 1, days: 1 } }],
  ],
  ['POST', ({ approval }) => [`/api/step-up-approvals/${approval}/approve`, { response: ASSERTION }]],
  ['POST', ({ approval }) => [`/api/step-up-approvals/${approval}/deny`]],
  ['POST', ({ request }) => [`/api/registration-requests/${request}/options`, {}]],
  ['POST', ({ request }) => [`/api/registration-requests/${request}/approve`, { response: ASSERTION }]],
  ['POST', ({ request }) => [`/api/registration-requests/${request}/deny`]],
]

/** Operations that change nothing of an organisation, or what a suspension leaves to its members. */
const OTHERS = [
  'POST /api/organizations',
  'POST /api/invitations/accept',
  'DELETE /api/api-keys/:id',
  'POST /api/registration-requests',
  'POST /api/registration-requests/:requestId/claim',
  'POST /api/audit/records/:id/replay',
]
const OF_THE_ACCOUNT = /^\w+ \/api\/(auth|me|kyd|push-subscriptions)(\/|$)/

describe('every change of a suspended organisation', () => {
  let scene: OperatorScene
  let bearer: string
  let elevation: string
  let organizationId: string
  let ids: Ids

  before(async () => {
    scene = await openOperatorScene()
    const owner = await scene.person()
    bearer = owner.accessToken
    organizationId = owner.organizationId
    const endpoint = await scene.endpointOf(owner.apiKey)
    const { svcId: agent } = await registerAgent(scene.baseUrl, {
      pdlss: { limits: { autonomousThreshold: 1, approvalThreshold: 10 } },
    })
    await scene.rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', organizationId, agent)
    elevation = await (await enrolPasskey(scene.baseUrl, bearer)).elevation()
    const invited = await scene.call('POST', `/api/organizations/${organizationId}/members`, {
      ...{ bearer, body: { email: 'invited@people.io', role: 'member' } },
    })
    const ask = { agentId: agent, counterpartyId: endpoint, transactionValue: 5 }
    const held = await scene.verify(owner.apiKey, ask)
    await scene.rows('UPDATE users SET kyd_verified_at = 1 WHERE id = ?', owner.user.id)
    const requested = await scene.call('POST', '/api/agents/register', {
      ...{ bearer: owner.apiKey, body: { name: 'Waits' } },
    })
    expect(requested.status, JSON.stringify(requested.body)).to.equal(202)
    expect((await scene.order(`organizations/${organizationId}/suspend`)).status).to.equal(200)
    const { items } = (await scene.call('GET', '/api/alerts', { bearer })).body
    ids = {
      ...{ agent, endpoint, invitation: invited.body.member.id, request: requested.body.requestId },
      approval: held.body.stepUpApproval.approvalId,
      alert: items.find(({ code }: { code: string }) => code === 'organization.suspended').id,
    }
  })
  after(() => scene?.service.stop())

  /** The operation of a change, with the parameters of its path left out. */
  const nameOf = (method: string, path: string) =>
    `${method} ${path.replaceAll(/:\w+/g, ':').replaceAll(MISSING, ':').replaceAll(MISSING_KEY, ':')}`
  const SHOWN: Ids = {
    ...{ agent: ':id', endpoint: ':id', invitation: ':id' },
    ...{ alert: ':id', approval: ':id', request: ':id' },
  }

  it('is one of those below', () => {
    const walked = CHANGES.map(([method, build]) =>
      nameOf(method, build(SHOWN, ':id')[0].replaceAll(ADDRESS, ':')),
    )
    const changing = TABLE.filter(([method, , access]) => method !== 'GET' && /session/i.test(access))
      .map(([method, path]) => `${method} ${path}`)
      .filter((name) => !OTHERS.includes(name) && !OF_THE_ACCOUNT.test(name))
    const named = changing.map((name) => nameOf(...(name.split(' ') as [string, string])))
    expect(named.filter((name) => !walked.includes(name))).to.deep.equal([])
  })

  for (const [method, build] of CHANGES) {
    it(`is refused: ${method} ${build(SHOWN, ':id')[0]}`, async () => {
      const [path, body] = build(ids, organizationId)
      const headers = { 'x-svc-elevation': elevation }
      const refused = await scene.call(method, path, { bearer, headers, ...(body ? { body } : {}) })
      expect(outcomeOf(refused)).to.deep.equal([403, 'ORGANIZATION_SUSPENDED'])
    })
  }
})
