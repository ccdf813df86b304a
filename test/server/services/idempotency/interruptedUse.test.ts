import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { TABLE } from '../../../../server/routes/index.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../../../builders/participants.ts'
import {
  type ForeignScene,
  foreignAccount,
  openForeignRegistry,
} from '../../../harness/chain/openForeignRegistry.ts'
import { createCredentialHolder } from '../../../harness/peers/createCredentialHolder.ts'
import { api } from '../../../harness/service/api.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'
import { openReceiver } from '../webhooks/openWebhooks.ts'

type Ask = {
  path: string
  body: object
  bearer?: string | undefined
  signedBy?: PrivateKeyAccount
  by?: Owner
}

const ABANDONED_MS = 61_000
/** The tables that the operations write and no worker does. */
const TABLES = [
  ...[
    'agents',
    'agent_credentials',
    'agent_keys',
    'registration_requests',
    'step_up_approvals',
    'transaction_grants',
  ],
  ...['organizations', 'invitations', 'api_keys', 'endpoints', 'allowlist_entries'],
  // Deliveries requested by a user; others follow events at any time.
  'webhook_deliveries WHERE seq IS NULL',
]

describe('an Idempotency-Key whose first use was interrupted after its commit', () => {
  let foreign: ForeignScene
  let scene: OwnerScene
  let ada: Owner
  let shop: Organisation
  let svceId: string
  let receiver: Awaited<ReturnType<typeof openReceiver>>

  before(async function () {
    this.timeout(180_000)
    foreign = await openForeignRegistry()
    scene = await openOwnerScene({ FOREIGN_REGISTRIES: foreign.setting, ALLOW_PRIVATE_NETWORK: 'true' })
    ada = await scene.owner()
    shop = await createOrganisation(scene.service.baseUrl)
    svceId = await registerEndpoint(scene.service.baseUrl, shop.apiKey)
    receiver = await openReceiver()
    await act({
      path: `/api/endpoints/${svceId}/webhook`,
      body: { url: receiver.url },
      bearer: shop.accessToken,
    })
  })
  after(async () => {
    await receiver?.stop()
    await scene?.service.stop()
    await foreign?.stop()
  })

  async function act({ path, body, bearer, signedBy, by }: Ask, headers: Record<string, string> = {}) {
    if (by) return by.call('POST', path, { body, headers })
    const timestamp = Math.floor(scene.time.now / 1000)
    const signed = signedBy && { method: 'POST', path, body: JSON.stringify(body), timestamp }
    return api(scene.service.baseUrl, 'POST', path, {
      body,
      ...(bearer === undefined ? {} : { bearer }),
      headers: { ...headers, ...(signedBy && signed ? await signHeaders(signedBy, signed) : {}) },
    })
  }
  /** Sets the row to its state when the process dies after the commit of the effect and before the response is stored. */
  const interrupt = (key: string, ageMs = ABANDONED_MS) =>
    scene.service.rows(
      `UPDATE idempotency_keys SET state = 'applied', answer = NULL, claimed_at = ? WHERE key = ?`,
      scene.time.now - ageMs,
      key,
    )
  const written = () =>
    Promise.all(
      TABLES.map(async (table) => [table, (await scene.service.rows(`SELECT * FROM ${table}`)).length]),
    )

  const newUrl = () => `https://${randomUUID()}.shop-host.io`
  const session = () => ({ bearer: shop.accessToken })
  const verification = (fields: object) => ({
    path: '/api/agents/verify-access',
    body: { counterpartyId: svceId, createSession: true, ...fields },
    bearer: shop.apiKey,
  })
  const evaluation = (agentId: string) => ({
    subject: { type: 'agent', id: agentId },
    action: { name: 'read' },
    resource: { type: 'endpoint', id: svceId },
  })

  const OPERATIONS: Record<string, () => Promise<Ask> | Ask> = {
    '/api/agents/register': () => ({
      path: '/api/agents/register',
      body: { name: 'Shopper' },
      signedBy: privateKeyToAccount(`0x${randomUUID().replaceAll('-', '').padEnd(64, '1')}`),
    }),
    '/api/agents/adopt': async () => {
      const holder = foreignAccount(3)
      const { token } = await foreign.register(holder)
      const stated = await ada.call('POST', '/api/agents/adopt/statement', { body: { token } })
      const { message, expiresAt } = stated.body
      const signature = await holder.signMessage({ message })
      return { path: '/api/agents/adopt', body: { token, expiresAt, signature }, by: ada }
    },
    '/api/agents/request-registration': () => ({
      path: '/api/agents/request-registration',
      body: { agentName: 'Shopper', ownerEmail: `${randomUUID()}@acme.io` },
    }),
    '/api/registration-requests': () => ({
      path: '/api/registration-requests',
      body: { name: 'Shopper' },
      by: ada,
    }),
    '/api/agents/:id/credentials': async () => {
      const [holder, id] = [createCredentialHolder(), await ada.agent()]
      const { body: opened } = await ada.call('POST', `/api/agents/${id}/credentials/challenge`)
      const { challenge, audience: aud } = opened
      const proof = holder.token({ aud, nonce: challenge, iat: Math.floor(scene.time.now / 1000) })
      const body = { type: 'did', value: holder.did, challenge, proof }
      return { path: `/api/agents/${id}/credentials`, body, by: ada }
    },
    '/api/agents/:id/keys': async () => {
      const timestamp = Math.floor(scene.time.now / 1000)
      const { svcId, account } = await registerAgent(scene.service.baseUrl, {}, { timestamp })
      return { path: `/api/agents/${svcId}/keys`, body: { key: createAgentKey().jwk }, signedBy: account }
    },
    '/api/agents/verify-access': async () =>
      verification({ agentId: await ada.agent(), transactionValue: 1 }),
    '/api/api-keys': () => ({ path: '/api/api-keys', body: { name: 'a key' }, ...session() }),
    '/api/organizations': () => ({ path: '/api/organizations', body: { name: 'Acme' }, ...session() }),
    '/api/organizations/:id/members': () => ({
      path: `/api/organizations/${shop.organizationId}/members`,
      body: { email: `${randomUUID()}@acme.io`, role: 'member' },
      ...session(),
    }),
    '/api/endpoints': () => ({
      path: '/api/endpoints',
      body: { name: 'Shop', counterpartyUrl: newUrl() },
      bearer: shop.apiKey,
    }),
    '/api/endpoints/:id/claim': async () => {
      const counterpartyUrl = newUrl()
      await act({ path: '/api/agents/verify-access', body: { counterpartyUrl }, bearer: shop.apiKey })
      const [found] = await scene.service.rows<{ id: string }>(
        'SELECT id FROM endpoints WHERE url = ?',
        counterpartyUrl,
      )
      const body = { organizationId: shop.organizationId }
      return { path: `/api/endpoints/${found?.id}/claim`, body, ...session() }
    },
    '/api/endpoints/:id/allowlist': () => ({
      path: `/api/endpoints/${svceId}/allowlist`,
      body: { allowedOwnerIdentifier: shop.organizationId },
      ...session(),
    }),
    '/api/endpoints/:id/rotate-secret': () => ({
      path: `/api/endpoints/${svceId}/rotate-secret`,
      body: {},
      ...session(),
    }),
    '/api/endpoints/:id/test-webhook': () => ({
      path: `/api/endpoints/${svceId}/test-webhook`,
      body: {},
      ...session(),
    }),
    '/api/endpoints/:id/webhook/deliveries/:deliveryId/redeliver': async () => {
      const tried = await act({ path: `/api/endpoints/${svceId}/test-webhook`, body: {}, ...session() })
      const path = `/api/endpoints/${svceId}/webhook/deliveries/${tried.body.delivery.id}/redeliver`
      return { path, body: {}, ...session() }
    },
    '/access/v1/evaluation': async () => ({
      path: '/access/v1/evaluation',
      body: evaluation(await ada.agent()),
      bearer: shop.apiKey,
    }),
    '/access/v1/evaluations': async () => ({
      path: '/access/v1/evaluations',
      body: { evaluations: [evaluation(await ada.agent()), {}, evaluation(await ada.agent())] },
      bearer: shop.apiKey,
    }),
  }

  it('is tested for every operation that accepts one', () => {
    const repeatable = TABLE.flatMap(([, path, , , operation]) => (operation.repeatable ? [path] : []))
    expect(Object.keys(OPERATIONS).sort()).to.deep.equal(repeatable.sort())
  })

  for (const [name, ask] of Object.entries(OPERATIONS)) {
    it(`returns the same and writes nothing more: POST ${name}`, async () => {
      const [asked, key] = [await ask(), randomUUID()]
      const first = await act(asked, { 'idempotency-key': key })
      expect(first.status, JSON.stringify(first.body)).to.be.below(300)
      const before = await written()
      await interrupt(key)
      const again = await act(asked, { 'idempotency-key': key })
      expect([again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([first.status, null])
      expect(await written()).to.deep.equal(before)
      expect(idsOf(again.body)).to.deep.equal(idsOf(first.body))
      const third = await act(asked, { 'idempotency-key': key })
      expect(third.headers.get('idempotent-replayed')).to.equal('true')
      expect(third.body).to.deep.equal(again.body)
    })
  }

  it('returns the same decision about an agent that is not registered', async () => {
    const [asked, key] = [verification({ agentId: 'SVC-0000000000000000000000' }), randomUUID()]
    const first = await act(asked, { 'idempotency-key': key })
    expect(first.status, JSON.stringify(first.body)).to.equal(200)
    await interrupt(key)
    const again = await act(asked, { 'idempotency-key': key })
    expect(again.headers.get('idempotent-replayed')).to.equal(null)
    expect(again.body).to.deep.equal(first.body)
  })

  it('is refused while its process may still be running', async () => {
    const agentId = await ada.agent()
    const [asked, key] = [verification({ agentId, transactionValue: 1 }), randomUUID()]
    await act(asked, { 'idempotency-key': key })
    await interrupt(key, 1_000)
    const { status, headers, body } = await act(asked, { 'idempotency-key': key })
    expect([status, body.code, headers.get('retry-after')]).to.deep.equal([409, 'IDEMPOTENCY_CONFLICT', '1'])
  })

  it('does not repeat a decision about an agent that was suspended in between', async () => {
    const agentId = await ada.agent()
    const counterpartyId = await registerEndpoint(scene.service.baseUrl, shop.apiKey)
    const asked = verification({ ...scene.asking(agentId), counterpartyId, transactionValue: 1 })
    const [answered, crashed] = [randomUUID(), randomUUID()]
    for (const key of [answered, crashed]) {
      const { body } = await act(asked, { 'idempotency-key': key })
      expect(body.recommendation, JSON.stringify(body.access)).to.equal('grant')
    }
    await interrupt(crashed)
    expect((await ada.call('POST', `/api/agents/${agentId}/suspend`)).status).to.equal(200)
    for (const key of [answered, crashed]) {
      const { body } = await act(asked, { 'idempotency-key': key })
      expect([body.recommendation, body.agent.agentStatus]).to.deep.equal(['deny', 'suspended'])
    }
  })

  it('does not repeat a decision that died with its process two minutes ago', async () => {
    const [asked, key] = [verification({ agentId: await ada.agent(), transactionValue: 1 }), randomUUID()]
    const first = await act(asked, { 'idempotency-key': key })
    await interrupt(key, 120_000)
    const again = await act(asked, { 'idempotency-key': key })
    expect(again.body.auditRecordId).to.not.equal(first.body.auditRecordId)
  })

  it('has one response for concurrent copies', async () => {
    const asked = { path: '/api/api-keys', body: { name: 'a key' }, ...session() }
    const key = randomUUID()
    const first = await act(asked, { 'idempotency-key': key })
    await interrupt(key)
    const copies = await Promise.all(Array.from({ length: 8 }, () => act(asked, { 'idempotency-key': key })))
    expect(new Set(copies.map(({ body }) => body.key))).to.deep.equal(new Set([first.body.key]))
  })

  it('stores no secret in the clear', async () => {
    const asked = { path: '/api/api-keys', body: { name: 'a key' }, ...session() }
    const { body } = await act(asked, { 'idempotency-key': randomUUID() })
    const kept = JSON.stringify(await scene.service.rows('SELECT kept FROM idempotency_keys'))
    expect(kept).to.not.contain(body.key)
  })
})

/** The response shows a delivery as requested; its later state is read by id. */
function idsOf(body: Record<string, unknown>): unknown {
  const { delivery, delivered: _, ...rest } = body
  return delivery === undefined ? rest : (delivery as { id: string }).id
}
