import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'
import {
  type CredentialHolder,
  createCredentialHolder,
} from '../../../harness/peers/createCredentialHolder.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { MINUTE_MS, type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const UNKNOWN = 'SVC-0000000000000000000009'

describe('third-party credentials', () => {
  let scene: OwnerScene
  let ada: Owner
  let agentId: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
  })
  beforeEach(async () => {
    agentId = await ada.agent()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const pathOf = (id = agentId) => `/api/agents/${id}/credentials`
  const seconds = () => Math.floor(scene.time.now / 1000)
  const challengeOf = async (id = agentId, by = ada) =>
    (await by.call('POST', `${pathOf(id)}/challenge`)).body
  const proofOf = (
    holder: CredentialHolder,
    { challenge, audience }: { challenge: string; audience: string },
  ) => holder.token({ aud: audience, nonce: challenge, iat: seconds() })

  async function add(holder: CredentialHolder, fields: object = {}, id = agentId, by = ada) {
    const opened = await challengeOf(id, by)
    const { challenge } = opened
    const body = { type: 'did', value: holder.did, challenge, proof: proofOf(holder, opened), ...fields }
    return by.call('POST', pathOf(id), { body })
  }
  async function added(holder: CredentialHolder, fields: object = {}, id = agentId) {
    const answer = await add(holder, fields, id)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
    return answer.body.credential
  }
  const present = async (credentials: object[], fields: object = {}) =>
    scene.verify({ counterpartyId: scene.svceId, purpose: 'shopping:buy', credentials, ...fields })
  const did = (holder: CredentialHolder) => ({ type: 'did', value: holder.did })
  /** The response for an unknown agent, without members that differ between responses. */
  const plain = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
    status,
    body: { ...body, auditRecordId: typeof body.auditRecordId },
  })
  /** As for an agent that nobody registered, but without a cause, which would tell one credential from another. */
  const unknownAnswer = async () => {
    const answer = await present([did(createCredentialHolder())])
    const [failure, ...others] = answer.body.access.failures
    expect(Object.keys(failure)).to.have.members(['dimension', 'message', 'guidance', 'docsUrl'])
    expect([failure.dimension, others]).to.deep.equal(['agent.identity', []])
    return plain(answer)
  }

  describe('GET, POST and DELETE /api/agents/:id/credentials', () => {
    it('stores a proven credential, shows it to the owner, and deletes it', async () => {
      const holder = createCredentialHolder()
      const stored = await added(holder)
      expect(stored).to.deep.include({
        type: 'did',
        subject: holder.did,
        issuer: null,
        algorithm: 'EdDSA',
        status: 'valid',
      })
      expect((await ada.call('GET', pathOf())).body.items).to.deep.equal([stored])
      const removed = await ada.call('DELETE', `${pathOf()}/${stored.id}`)
      expect([removed.status, removed.body.id]).to.deep.equal([200, stored.id])
      expect((await ada.call('GET', pathOf())).body.items).to.deep.equal([])
      expect(outcome(await ada.call('DELETE', `${pathOf()}/${stored.id}`))).to.deep.equal([404, 'NOT_FOUND'])
    })

    it('refuses a credential of another agent, of this owner or another, until it is deleted there', async () => {
      const holder = createCredentialHolder()
      const stored = await added(holder)
      const eve = await scene.owner()
      const [own, foreign] = [await ada.agent(), await eve.agent()]
      for (const [id, by] of [
        [agentId, ada],
        [own, ada],
        [foreign, eve],
      ] as const) {
        expect(outcome(await add(holder, {}, id, by))).to.deep.equal([409, 'CREDENTIAL_TAKEN'])
      }
      await ada.call('DELETE', `${pathOf()}/${stored.id}`)
      expect((await add(holder, {}, foreign, eve)).status).to.equal(201)
    })

    it('accepts a credential for one of 16 concurrent agents', async () => {
      const holder = createCredentialHolder()
      const agents = await Promise.all(Array.from({ length: 16 }, () => ada.agent()))
      const answers = await Promise.all(agents.map((id) => add(holder, {}, id)))
      expect(answers.filter(({ status }) => status === 201).length).to.equal(1)
      expect(answers.filter(({ status }) => status === 409).length).to.equal(15)
    })

    it('names the part that does not verify', async () => {
      const [holder, other] = [createCredentialHolder(), createCredentialHolder()]
      const refused = await add(holder, { value: other.did })
      expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(refused.body.errors[0]).to.deep.include({ pointer: '/proof', code: 'bad_proof' })
      const malformed = await add(holder, { type: 'vc' })
      expect(malformed.body.errors[0]).to.deep.include({ pointer: '/value', code: 'malformed' })
      for (const fields of [
        { type: 'oauth' },
        { value: '' },
        { value: 'x'.repeat(32_769) },
        { proof: 'x'.repeat(8_193) },
      ]) {
        expect(outcome(await add(holder, fields))).to.deep.equal([400, 'VALIDATION_ERROR'])
      }
    })

    it('accepts a challenge once, for its agent, within ten minutes', async () => {
      const [one, two, three] = [createCredentialHolder(), createCredentialHolder(), createCredentialHolder()]
      const opened = await challengeOf()
      const send = (holder: CredentialHolder, id = agentId) =>
        ada.call('POST', pathOf(id), {
          body: { ...did(holder), challenge: opened.challenge, proof: proofOf(holder, opened) },
        })
      const elsewhere = await send(one, await ada.agent())
      expect(elsewhere.body.errors[0].code).to.equal('unknown_challenge')
      const answers = await Promise.all([send(one), send(two)])
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 400])
      expect((await send(three)).body.errors[0].code).to.equal('unknown_challenge')
      const late = await challengeOf()
      scene.time.now += 10 * MINUTE_MS
      const body = { ...did(three), challenge: late.challenge, proof: proofOf(three, late) }
      expect((await ada.call('POST', pathOf(), { body })).body.errors[0].code).to.equal('unknown_challenge')
    })

    it('is available to the owner only, and reports a foreign key that tries', async () => {
      const eve = await scene.owner()
      const { id } = await added(createCredentialHolder())
      const opened = await challengeOf()
      const holder = createCredentialHolder()
      const body = { ...did(holder), challenge: opened.challenge, proof: proofOf(holder, opened) }
      const bearer = scene.shop.apiKey
      for (const answer of [
        await eve.call('GET', pathOf()),
        await eve.call('POST', `${pathOf()}/challenge`),
        await eve.call('POST', pathOf(), { body }),
        await eve.call('DELETE', `${pathOf()}/${id}`),
        await scene.call('DELETE', `${pathOf()}/${id}`, { bearer }),
      ]) {
        expect(outcome(answer)).to.deep.equal([403, 'FORBIDDEN'])
      }
      await waitUntil(async () => {
        const { items } = (await ada.call('GET', '/api/alerts')).body
        return (
          items.some((alert: { code: string }) => alert.code === 'agent.ownership_mismatch_attempt') || null
        )
      })
      for (const answer of [
        await ada.call('GET', pathOf(UNKNOWN)),
        await ada.call('POST', `${pathOf(UNKNOWN)}/challenge`),
        await ada.call('POST', pathOf(UNKNOWN), { body }),
        await ada.call('DELETE', `${pathOf(UNKNOWN)}/${id}`),
      ]) {
        expect(outcome(answer)).to.deep.equal([404, 'NOT_FOUND'])
      }
    })

    it('allows 20 per agent, and none on a retired one, whose own can be deleted', async () => {
      const first = await added(createCredentialHolder())
      for (let n = 1; n < 20; n += 1) await added(createCredentialHolder())
      expect(outcome(await add(createCredentialHolder()))).to.deep.equal([409, 'INVALID_STATE'])
      await ada.call('POST', `/api/agents/${agentId}/retire`)
      expect((await ada.call('DELETE', `${pathOf()}/${first.id}`)).status).to.equal(200)
      expect(outcome(await add(createCredentialHolder()))).to.deep.equal([409, 'INVALID_STATE'])
    })

    it('records both as events of the owner', async () => {
      const { id } = await added(createCredentialHolder())
      await ada.call('DELETE', `${pathOf()}/${id}`)
      const types = await waitUntil(async () => {
        const { items } = (await ada.call('GET', `/api/activity?agent=${agentId}`)).body
        const found = items
          .map(({ eventType }: { eventType: string }) => eventType)
          .filter((type: string) => type.startsWith('agent.credential'))
        return found.length === 2 ? found : null
      })
      expect(types).to.deep.equal(['agent.credential_removed', 'agent.credential_added'])
    })
  })

  describe('POST /api/agents/verify-access with credentials', () => {
    it('decides as for the identified agent, and responds in the same words', async () => {
      const holder = createCredentialHolder()
      await added(holder)
      const answer = await present([did(holder)])
      expect(answer.body.recommendation).to.equal('grant')
      expect(answer.body.agent.svcId).to.equal(agentId)
      const named = await scene.verify({ agentId, counterpartyId: scene.svceId, purpose: 'shopping:buy' })
      expect(Object.keys(answer.body).sort()).to.deep.equal(Object.keys(named.body).sort())
      expect(JSON.stringify(answer.body)).not.to.include('did:')
    })

    it('accepts a credential in the header', async () => {
      const holder = createCredentialHolder()
      await added(holder)
      const ask = (header: string) =>
        scene.call('POST', '/api/agents/verify-access', {
          bearer: scene.shop.apiKey,
          body: { counterpartyId: scene.svceId, purpose: 'shopping:buy' },
          headers: { 'x-svc-credential': header },
        })
      expect((await ask(`did ${holder.did}`)).body.agent.svcId).to.equal(agentId)
      expect(outcome(await ask(holder.did))).to.deep.equal([400, 'VALIDATION_ERROR'])
    })

    it('treats an unknown credential, a malformed one and one of another agent as an unknown agent', async () => {
      const [holder, other] = [createCredentialHolder(), createCredentialHolder()]
      await added(holder)
      await added(other, {}, await ada.agent())
      const expected = await unknownAnswer()
      for (const [credentials, fields] of [
        [[did(createCredentialHolder())], {}],
        [[{ type: 'did', value: 'nonsense' }], {}],
        [[{ type: 'x509', value: '-----BEGIN CERTIFICATE-----' }], {}],
        [[{ type: 'vc', value: holder.did }], {}],
        [[did(holder), did(other)], {}],
        [[did(holder), did(createCredentialHolder())], {}],
        [[did(other)], { agentId }],
        [[did(createCredentialHolder())], { agentId }],
        [[did(holder)], { agentId: UNKNOWN }],
      ] as [object[], object][]) {
        expect(plain(await present(credentials, fields)), JSON.stringify(credentials)).to.deep.equal(expected)
      }
      expect((await present([did(holder), did(holder)], { agentId })).body.agent.svcId).to.equal(agentId)
      expect((await present([], {})).body).to.have.property('correlationId')
    })

    it('identifies no agent from the response to its deletion on, or after its expiry', async () => {
      const [holder, issuer] = [createCredentialHolder(), createCredentialHolder('P-256')]
      const { id } = await added(holder)
      const vc = { type: ['VerifiableCredential'], credentialSubject: { id: holder.did } }
      const value = issuer.token({ iss: issuer.did, sub: holder.did, exp: seconds() + 60, vc })
      expect((await added(holder, { type: 'vc', value })).issuer).to.equal(issuer.did)
      expect((await present([{ type: 'vc', value }])).body.agent.svcId).to.equal(agentId)
      expect((await present([did(holder)])).body.agent.svcId).to.equal(agentId)
      await ada.call('DELETE', `${pathOf()}/${id}`)
      expect(plain(await present([did(holder)]))).to.deep.equal(await unknownAnswer())
      scene.time.now += MINUTE_MS
      expect(plain(await present([{ type: 'vc', value }]))).to.deep.equal(await unknownAnswer())
      expect((await ada.call('GET', pathOf())).body.items[0].status).to.equal('expired')
    })

    it('records no credential, and can replay the decision', async () => {
      const [holder, unknown] = [createCredentialHolder(), createCredentialHolder()]
      await added(holder)
      const [known, denied] = [await present([did(holder)]), await present([did(unknown)])]
      for (const { body } of [known, denied]) {
        const replayed = await scene.call('POST', `/api/audit/records/${body.auditRecordId}/replay`, {
          bearer: scene.shop.accessToken,
        })
        expect([replayed.status, replayed.body.reproduced], JSON.stringify(replayed.body)).to.deep.equal([
          200,
          true,
        ])
        const [row] = await scene.service.rows<{ inputs: string; event_data: string }>(
          'SELECT inputs, event_data FROM audit_records WHERE record_id = ?',
          body.auditRecordId,
        )
        expect(JSON.stringify(row)).to.include('sha256:')
        expect(JSON.stringify(row)).not.to.include('did:key')
      }
    })

    it('queries the database once for a credential that is presented often', async () => {
      const holder = createCredentialHolder()
      const { id } = await added(holder)
      await present([did(holder)])
      // Changed without the service, so that later responses come from its cache.
      await scene.service.rows('DELETE FROM agent_credentials WHERE id = ?', id)
      const { body } = await present([did(holder)], { attemptId: randomUUID() })
      // On PostgreSQL, the database itself notifies of the change.
      if (testedDatabase === 'sqlite') expect(body.agent.svcId).to.equal(agentId)
    })
  })
})
