import { randomUUID } from 'node:crypto'
import { AGENT_KEYS_MAX } from '@svc/core/contract/agentKeys.ts'
import { expect } from 'chai'
import { createAgentKey } from '../../../../builders/createAgentKey.ts'
import { registerAgent, registerEndpoint } from '../../../../builders/participants.ts'
import { signAsAgent } from '../../../../builders/signAsAgent.ts'
import type { Owner } from '../../approvals/openOwnerScene.ts'
import { type KeyScene, openKeyScene } from './openKeyScene.ts'

const UNKNOWN = 'SVC-0000000000000000000009'

describe('the keys of an agent', () => {
  let scene: KeyScene
  let ada: Owner
  let agentId: string

  before(async () => {
    scene = await openKeyScene()
    ada = await scene.owner()
  })
  beforeEach(async () => {
    agentId = await ada.agent()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

  /** A proof of possession for the agent of the test, apart from what is given. */
  const prove = (key: ReturnType<typeof createAgentKey>, claims: object = {}, header: object = {}) =>
    scene.proveKey(key, agentId, claims, header)

  describe('POST /api/agents/:id/keys', () => {
    for (const crv of ['Ed25519', 'P-256'] as const) {
      it(`stores a key of ${crv} under its thumbprint`, async () => {
        const { jwk, kid } = createAgentKey(crv)
        const { status, body } = await scene.add(ada, agentId, jwk, { name: 'server in Berlin' })
        expect(status).to.equal(201)
        expect(body.key).to.deep.equal({
          kid,
          kty: jwk.kty,
          crv,
          name: 'server in Berlin',
          status: 'active',
          createdAt: new Date(scene.time.now).toISOString(),
          revokedAt: null,
          provenAt: null,
        })
        expect(await scene.listed(ada, agentId)).to.deep.equal([body.key])
      })
    }

    it('requires a proof of every request from then on, unless the owner has set otherwise', async () => {
      expect(await scene.failures(agentId)).to.deep.equal([])
      const kid = await scene.added(ada, agentId)
      expect(await scene.failures(agentId)).to.deep.equal(['agent.proof'])
      await scene.revoke(ada, agentId, kid)
      expect(await scene.failures(agentId)).to.deep.equal(['agent.proof'])
    })

    it('returns an active key as it is stored when it is added again, and records nothing', async () => {
      const { jwk, kid } = createAgentKey()
      await scene.add(ada, agentId, jwk, { name: 'first' })
      const again = await scene.add(ada, agentId, { ...jwk, kid: 'other' }, { name: 'second' })
      expect([again.status, again.body.key.name, again.body.key.kid]).to.deep.equal([201, 'first', kid])
      expect((await scene.listed(ada, agentId)).length).to.equal(1)
      expect((await scene.events(ada, agentId, 'agent.key_added')).length).to.equal(1)
    })

    it('does not take a revoked key back', async () => {
      const { jwk } = createAgentKey()
      await scene.revoke(ada, agentId, await scene.added(ada, agentId, jwk))
      expect(outcome(await scene.add(ada, agentId, jwk))).to.deep.equal([409, 'INVALID_STATE'])
    })

    it(`stores at most ${AGENT_KEYS_MAX} active keys, of concurrent requests, too`, async () => {
      const elevation = await scene.elevated(ada)
      const add = () =>
        ada.call('POST', scene.pathOf(agentId), { body: { key: createAgentKey().jwk }, headers: elevation })
      const answers = await Promise.all(Array.from({ length: AGENT_KEYS_MAX + 4 }, add))
      expect(answers.filter(({ status }) => status === 201).length).to.equal(AGENT_KEYS_MAX)
      expect(answers.filter(({ body }) => body.code === 'INVALID_STATE').length).to.equal(4)
      const [first] = await scene.listed(ada, agentId)
      await scene.revoke(ada, agentId, first?.kid ?? '')
      expect((await add()).status).to.equal(201)
    })

    it('lets agents of one owner share a key, but not agents of two', async () => {
      const eve = await scene.owner()
      const { jwk, kid } = createAgentKey()
      const shared = await ada.agent()
      for (const each of [agentId, shared]) await scene.added(ada, each, jwk)
      const foreign = await eve.agent()
      expect(outcome(await scene.add(eve, foreign, jwk))).to.deep.equal([409, 'KEY_TAKEN'])
      for (const each of [agentId, shared]) await scene.revoke(ada, each, kid)
      expect((await scene.add(eve, foreign, jwk)).status).to.equal(201)
    })

    it('moves a key to the agent of whoever proves to hold it, from one that only named it', async () => {
      const eve = await scene.owner()
      const [key, occupier] = [createAgentKey(), await eve.agent()]
      await scene.added(eve, occupier, key.jwk)
      const refused = await scene.add(ada, agentId, key.jwk)
      expect(outcome(refused)).to.deep.equal([409, 'KEY_TAKEN'])
      const moved = await scene.add(ada, agentId, key.jwk, { proof: prove(key) })
      expect([moved.status, moved.body.key.status, typeof moved.body.key.provenAt]).to.deep.equal([
        ...[201, 'active', 'string'],
      ])
      expect((await scene.listed(eve, occupier)).map((one) => [one.kid, one.status])).to.deep.equal([
        [key.kid, 'revoked'],
      ])
      const [event] = await scene.events(eve, occupier, 'agent.key_revoked')
      expect(event.eventData).to.include({ kid: key.kid, reason: 'proven_by_another_owner' })
      const alerts = (await eve.call('GET', '/api/alerts')).body.items
      expect(alerts.map(({ code }: { code: string }) => code)).to.include('agent.key_lost')
      expect(outcome(await scene.add(eve, occupier, key.jwk))).to.deep.equal([409, 'INVALID_STATE'])
      expect(outcome(await scene.add(eve, await eve.agent(), key.jwk))).to.deep.equal([409, 'KEY_TAKEN'])
    })

    it('adds a proof to a key that is active, and then keeps it from everybody else', async () => {
      const eve = await scene.owner()
      const [key, foreign] = [createAgentKey(), await eve.agent()]
      await scene.added(ada, agentId, key.jwk)
      expect((await scene.add(ada, agentId, key.jwk, { proof: prove(key) })).body.key.provenAt).to.be.a(
        'string',
      )
      const proof = prove(key, { iss: foreign })
      expect(outcome(await scene.add(eve, foreign, key.jwk, { proof }))).to.deep.equal([409, 'KEY_TAKEN'])
      expect((await scene.listed(ada, agentId))[0]?.status).to.equal('active')
    })

    it('refuses a proof by another key, for another agent or service, of another type, and of another time', async () => {
      const [key, seconds] = [createAgentKey(), Math.floor(scene.time.now / 1000)]
      for (const proof of [
        'x',
        prove(createAgentKey()),
        prove(key, { iss: await ada.agent() }),
        prove(key, { aud: 'https://other.example' }),
        prove(key, {}, { typ: 'svc-intent+jwt' }),
        prove(key, { iat: seconds - 400, exp: seconds - 100 }),
        prove(key, { exp: seconds + 3_600 }),
        prove(key, { iat: seconds + 120, exp: seconds + 200 }),
      ]) {
        const { status, body } = await scene.add(ada, agentId, key.jwk, { proof })
        expect([status, body.errors?.[0]?.pointer], proof).to.deep.equal([400, '/proof'])
      }
      expect(await scene.listed(ada, agentId)).to.deep.equal([])
    })

    it('refuses what is not a public key that only the agent can sign for, at its field', async () => {
      const { jwk, privateJwk } = createAgentKey()
      for (const [key, pointer] of [
        [privateJwk, '/key/d'],
        [{ ...jwk, x: 'A'.repeat(43) }, '/key'],
        [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }, '/key/kty'],
        ['text', '/key'],
      ] as const) {
        const refused = await scene.add(ada, agentId, key)
        expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
        expect(refused.body.errors[0].pointer).to.equal(pointer)
      }
      const misspelt = await scene.add(ada, agentId, jwk, { nmae: 'x' })
      expect(misspelt.body.errors[0]).to.include({ pointer: '/nmae', code: 'unknown_key' })
      expect(await scene.listed(ada, agentId)).to.deep.equal([])
    })

    it('refuses a retired agent', async () => {
      await ada.call('POST', `/api/agents/${agentId}/retire`)
      expect(outcome(await scene.add(ada, agentId, createAgentKey().jwk))).to.deep.equal([
        409,
        'INVALID_STATE',
      ])
    })

    it('returns the original answer to a retry with the same Idempotency-Key', async () => {
      const body = { key: createAgentKey().jwk }
      const send = async (sent: object) =>
        ada.call('POST', scene.pathOf(agentId), { body: sent, headers: { ...headers, ...idempotent } })
      const headers = await scene.elevated(ada)
      const idempotent = { 'idempotency-key': randomUUID() }
      const first = await send(body)
      const second = await send(body)
      expect(second.body).to.deep.equal(first.body)
      expect(second.headers.get('idempotent-replayed')).to.equal('true')
      expect(outcome(await send({ key: createAgentKey().jwk }))).to.deep.equal([409, 'IDEMPOTENCY_CONFLICT'])
    })

    it('does not give a sub-agent the keys of its parent, but requires it to sign as well', async () => {
      const account = await scene.wallet(ada)
      const timestamp = Math.floor(scene.time.now / 1000)
      const register = (fields: object) => registerAgent(scene.baseUrl, fields, { account, timestamp })
      const parent = await register({ pdlss: { selfInstantiation: { allowed: true } } })
      await scene.added(ada, parent.svcId)
      const child = await register({ parentAgentId: parent.svcId })
      expect(await scene.listed(ada, child.svcId)).to.deep.equal([])
      expect(await scene.failures(child.svcId)).to.deep.equal(['agent.proof'])
    })
  })

  describe('DELETE /api/agents/:id/keys/:kid', () => {
    it('revokes a key once, and shows it to the owner as revoked', async () => {
      const kid = await scene.added(ada, agentId)
      const other = await scene.added(ada, agentId)
      scene.time.now += 1000
      const { status, body } = await scene.revoke(ada, agentId, kid)
      const revokedAt = new Date(scene.time.now).toISOString()
      expect([status, body.key.status, body.key.revokedAt]).to.deep.equal([200, 'revoked', revokedAt])
      scene.time.now += 1000
      expect((await scene.revoke(ada, agentId, kid)).body.key.revokedAt).to.equal(revokedAt)
      const statuses = (await scene.listed(ada, agentId)).map((key) => [key.kid, key.status])
      expect(statuses).to.deep.equal([
        [kid, 'revoked'],
        [other, 'active'],
      ])
      expect((await scene.events(ada, agentId, 'agent.key_revoked')).length).to.equal(1)
    })

    it('refuses what the key signs from the response on', async () => {
      const key = createAgentKey()
      const url = 'https://keys.acme.io/api'
      const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, {
        counterpartyUrl: url,
      })
      const decide = async () => {
        const created = Math.floor(scene.time.now / 1000)
        const callerMetadata = signAsAgent(key, { svcId: agentId, url, created })
        const asked = scene.asking(agentId, { counterpartyId, transactionValue: 1, callerMetadata })
        const { recommendation, identityProof } = (await scene.verifyUnproven(asked)).body
        return [recommendation, identityProof]
      }
      await scene.added(ada, agentId, key.jwk)
      expect(await decide()).to.deep.equal(['grant', 'signature'])
      await scene.revoke(ada, agentId, key.kid)
      expect(await decide()).to.deep.equal(['deny', 'none'])
    })

    it('knows only keys of the agent', async () => {
      const kid = await scene.added(ada, await ada.agent())
      expect(outcome(await scene.revoke(ada, agentId, kid))).to.deep.equal([404, 'NOT_FOUND'])
    })

    it('is possible for a retired agent', async () => {
      const kid = await scene.added(ada, agentId)
      await ada.call('POST', `/api/agents/${agentId}/retire`)
      expect((await scene.revoke(ada, agentId, kid)).status).to.equal(200)
    })

    it('lists the hundred keys that were revoked last, and adds none again, however many there were', async () => {
      const columns = ['id', 'agent_id', 'kid', 'jwk', 'created_at', 'revoked_at']
      const stolen = createAgentKey()
      await scene.added(ada, agentId, stolen.jwk)
      await scene.revoke(ada, agentId, stolen.kid)
      for (let nth = 0; nth < 101; nth += 1) {
        const row = [randomUUID(), agentId, `old${nth}`, '{}', 1, scene.time.now + nth + 1]
        await scene.store(
          `INSERT INTO agent_keys (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
          ...row,
        )
      }
      scene.time.now += 1_000
      await scene.revoke(ada, agentId, await scene.added(ada, agentId))
      const rows = await scene.store('SELECT kid FROM agent_keys WHERE agent_id = ?', agentId)
      const kids = (rows as { kid: string }[]).map(({ kid }) => kid)
      expect(kids).to.have.length(100).and.to.include('old2').and.not.to.include('old1')
      const { status, body } = await scene.add(ada, agentId, stolen.jwk)
      expect([status, body.message]).to.deep.equal([409, 'This key was revoked; generate another.'])
    })

    it('is never refused, but an agent with ten thousand forgotten keys takes no further one', async () => {
      const kid = await scene.added(ada, agentId)
      await scene.store(
        `INSERT INTO former_keys (agent_id, kid) WITH RECURSIVE counted (nth) AS
          (SELECT 1 UNION ALL SELECT nth + 1 FROM counted WHERE nth < 10000) SELECT ?, 'k' || nth FROM counted`,
        agentId,
      )
      expect((await scene.revoke(ada, agentId, kid)).status).to.equal(200)
      expect(outcome(await scene.add(ada, agentId, createAgentKey().jwk))).to.deep.equal([
        409,
        'INVALID_STATE',
      ])
    })
  })

  describe('GET /api/agents/:id/keys', () => {
    it('shows strangers the active keys, without the names that the owner gave them', async () => {
      const eve = await scene.owner()
      const { jwk, kid } = createAgentKey()
      await scene.add(ada, agentId, jwk, { name: 'server in Berlin' })
      await scene.revoke(ada, agentId, await scene.added(ada, agentId))
      const path = scene.pathOf(agentId)
      for (const answer of [await eve.call('GET', path), await scene.call('GET', path)]) {
        expect(answer.status).to.equal(200)
        const seen = answer.body.items.map((key: { kid: string; name: null }) => [key.kid, key.name])
        expect(seen).to.deep.equal([[kid, null]])
      }
      expect(outcome(await scene.call('GET', scene.pathOf(UNKNOWN)))).to.deep.equal([404, 'NOT_FOUND'])
    })
  })
})
