import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../../../builders/participants.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const HOUR_MS = 3_600_000

describe('Idempotency-Key', () => {
  let service: StartedService
  let shop: Organisation
  let now = Date.now()

  before(async () => {
    service = await startService({ clock: () => now })
    shop = await createOrganisation(service.baseUrl)
  })
  after(() => service.stop())

  const bodyOf = () => ({ name: 'Shop', counterpartyUrl: `https://${randomUUID()}.shop-host.io` })
  const post = (key: string, body: object, bearer = shop.apiKey) =>
    api(service.baseUrl, 'POST', '/api/endpoints', { bearer, body, headers: { 'idempotency-key': key } })
  const endpointsOf = async (url: string) =>
    (await service.rows('SELECT id FROM endpoints WHERE url = ?', url)).length

  it('answers a repetition with the original response, including its secret, and has no further effect', async () => {
    const [key, body] = [randomUUID(), bodyOf()]
    const first = await post(key, body)
    const second = await post(key, body)
    expect(first.status).to.equal(201)
    expect(first.headers.get('idempotent-replayed')).to.equal(null)
    expect(second.status).to.equal(201)
    expect(second.headers.get('idempotent-replayed')).to.equal('true')
    expect(second.body).to.deep.equal(first.body)
    expect(await endpointsOf(body.counterpartyUrl)).to.equal(1)
  })

  it('has one effect and one response for many concurrent copies', async () => {
    const [key, name] = [randomUUID(), randomUUID()]
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        api(service.baseUrl, 'POST', '/api/api-keys', {
          bearer: shop.accessToken,
          body: { name },
          headers: { 'idempotency-key': key },
        }),
      ),
    )
    expect(new Set(answers.map(({ body }) => body.key)).size).to.equal(1)
    expect(await service.rows('SELECT id FROM api_keys WHERE name = ?', name)).to.have.length(1)
  })

  it('refuses the key with another body, and leaves it to other callers', async () => {
    const [key, body] = [randomUUID(), bodyOf()]
    await post(key, body)
    const other = await post(key, bodyOf())
    expect([other.status, other.body.code]).to.deep.equal([409, 'IDEMPOTENCY_CONFLICT'])
    const stranger = await createOrganisation(service.baseUrl)
    expect((await post(key, bodyOf(), stranger.apiKey)).status).to.equal(201)
  })

  it('is free again after a refusal that wrote nothing', async () => {
    const [key, body] = [randomUUID(), bodyOf()]
    expect((await post(key, { ...body, name: '' })).status).to.equal(400)
    expect((await post(key, body)).status).to.equal(201)
  })

  it('works for a signed registration whose retry has a new signature', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const [key, body] = [randomUUID(), { name: 'Shopper' }]
    const register = async () =>
      api(service.baseUrl, 'POST', '/api/agents/register', {
        body,
        headers: {
          'idempotency-key': key,
          ...(await signHeaders(account, {
            method: 'POST',
            path: '/api/agents/register',
            body: JSON.stringify(body),
            timestamp: Math.floor(now / 1000),
          })),
        },
      })
    const first = await register()
    const second = await register()
    expect([first.status, second.status]).to.deep.equal([201, 201])
    expect(second.body.data.agent.svcId).to.equal(first.body.data.agent.svcId)
  })

  it('deletes the response after a day', async () => {
    const [key, body] = [randomUUID(), bodyOf()]
    await post(key, body)
    now += 24 * HOUR_MS + 1
    expect((await post(key, body)).body.code).to.equal('URL_ALREADY_CLAIMED')
  })

  it('rejects a malformed key, and ignores keys for operations that create nothing', async () => {
    const bad = await post('two words', bodyOf())
    expect([bad.status, bad.body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
    const read = await api(service.baseUrl, 'GET', '/api/health', { headers: { 'idempotency-key': 'a b' } })
    expect(read.status).to.equal(200)
  })

  it('stores no secret in the clear', async () => {
    const { body } = await post(randomUUID(), bodyOf())
    const rows = await service.rows('SELECT * FROM idempotency_keys')
    expect(JSON.stringify(rows)).to.not.contain(body.webhookSecret)
  })

  describe('of verify-access', () => {
    let agentId: string
    let counterpartyId: string
    const verify = (key: string, fields: object = {}, headers: Record<string, string> = {}) =>
      api(service.baseUrl, 'POST', '/api/agents/verify-access', {
        bearer: shop.apiKey,
        headers: { 'idempotency-key': key, ...headers },
        body: { agentId, counterpartyId, transactionValue: 1, ...fields },
      })

    beforeEach(async () => {
      const timestamp = Math.floor(now / 1000)
      const pdlss = {
        limits: { maxTransactionsPerHour: 10, autonomousThreshold: 100, approvalThreshold: 9_000 },
      }
      agentId = (await registerAgent(service.baseUrl, { pdlss }, { timestamp })).svcId
      counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    })

    it('is one grant, one event and one response for many concurrent copies', async () => {
      const key = randomUUID()
      const answers = await Promise.all(Array.from({ length: 32 }, () => verify(key)))
      expect(new Set(answers.map(({ body }) => body.sessionId)).size).to.equal(1)
      const grants = await service.rows('SELECT * FROM transaction_grants WHERE scope LIKE ?', `${agentId}%`)
      const records = await service.rows(
        'SELECT * FROM audit_records WHERE agent_id = ? AND session_id IS NOT NULL',
        agentId,
      )
      expect([grants.length, records.length]).to.deep.equal([1, 1])
    })

    it('uses one unit of a cap for each key, whatever is repeated', async () => {
      const keys = Array.from({ length: 12 }, () => randomUUID())
      const answers = await Promise.all(keys.flatMap((key) => [verify(key), verify(key), verify(key)]))
      const granted = answers.filter(({ body }) => body.recommendation === 'grant')
      expect(granted.length).to.equal(30)
      expect(new Set(granted.map(({ body }) => body.sessionId)).size).to.equal(10)
    })

    it('holds for a minute', async () => {
      const key = randomUUID()
      const first = await verify(key)
      now += 59_999
      expect((await verify(key)).body).to.deep.equal(first.body)
      now += 1
      const later = await verify(key)
      expect(later.headers.get('idempotent-replayed')).to.equal(null)
      expect(later.body.auditRecordId).to.not.equal(first.body.auditRecordId)
    })

    it('holds only while the endpoint is unchanged', async () => {
      const key = randomUUID()
      const granted = await verify(key)
      expect([granted.body.recommendation, (await verify(key)).body]).to.deep.equal(['grant', granted.body])
      const body = { allowedOwnerIdentifier: 'SVCD-0000000000000000000000' }
      await api(service.baseUrl, 'POST', `/api/endpoints/${counterpartyId}/allowlist`, {
        bearer: shop.apiKey,
        body,
      })
      const unlisted = await verify(key)
      expect(unlisted.body.access.failures[0].dimension).to.equal('counterparty.allowlist')
    })

    it('is not repeated for a request that is held, has no identity, or rests on a credential', async () => {
      const held = { transactionValue: 5_000, attemptId: randomUUID() }
      const anonymous = { agentId: undefined }
      const credential = { 'x-svc-credential': 'did did:web:one.acme.io' }
      for (const { fields, headers } of [
        { fields: held },
        { fields: anonymous },
        { fields: anonymous, headers: credential },
      ]) {
        const key = randomUUID()
        const first = await verify(key, fields, headers)
        const second = await verify(key, fields, headers)
        expect([first.status, second.status]).to.deep.equal([200, 200])
        expect(second.headers.get('idempotent-replayed'), JSON.stringify(fields)).to.equal(null)
        expect(second.body.auditRecordId).to.not.equal(first.body.auditRecordId)
      }
    })

    it('may be repeated if it has recorded a new URL but no outcome', async () => {
      const key = randomUUID()
      const counterpartyUrl = `https://${randomUUID()}.acme.io`
      const states: unknown[] = []
      const agentServer = await listen(async (_req, res) => {
        const known = await service.rows('SELECT id FROM endpoints WHERE url = ?', counterpartyUrl)
        const [use] = await service.rows<{ state: string }>(
          'SELECT state FROM idempotency_keys WHERE key = ?',
          key,
        )
        states.push([known.length, use?.state])
        res.end('{}')
      })
      try {
        const timestamp = Math.floor(now / 1000)
        const asked = await registerAgent(service.baseUrl, { apiEndpoint: agentServer.url }, { timestamp })
        await verify(key, { agentId: asked.svcId, counterpartyId: undefined, counterpartyUrl })
      } finally {
        await agentServer.stop()
      }
      expect(states).to.deep.equal([[1, 'running']])
    })

    it('is free again after a refusal that recorded nothing', async () => {
      const limits = { autonomousThreshold: 1, approvalThreshold: 100 }
      const timestamp = Math.floor(now / 1000)
      const asking = (await registerAgent(service.baseUrl, { pdlss: { limits } }, { timestamp })).svcId
      const [key, attemptId] = [randomUUID(), randomUUID()]
      await verify(randomUUID(), { agentId: asking, attemptId })
      const other = () => verify(key, { agentId: asking, attemptId, transactionValue: 2 })
      expect((await other()).body.code).to.equal('ATTEMPT_MISMATCH')
      expect((await other()).body.code).to.equal('ATTEMPT_MISMATCH')
    })

    it('is another request with another value', async () => {
      const key = randomUUID()
      await verify(key)
      expect((await verify(key, { transactionValue: 2 })).body.code).to.equal('IDEMPOTENCY_CONFLICT')
    })

    it('refuses the key for another agent or endpoint, and keeps the first response and its effect', async () => {
      const timestamp = Math.floor(now / 1000)
      const stranger = (await registerAgent(service.baseUrl, {}, { timestamp })).svcId
      const elsewhere = await registerEndpoint(service.baseUrl, shop.apiKey)
      const key = randomUUID()
      const first = await verify(key)
      for (const other of [{ agentId: stranger }, { counterpartyId: elsewhere }]) {
        const { status, body } = await verify(key, other)
        expect([status, body.code]).to.deep.equal([409, 'IDEMPOTENCY_CONFLICT'])
      }
      const again = await verify(key)
      expect([again.headers.get('idempotent-replayed'), again.body]).to.deep.equal(['true', first.body])
      const counted = await service.rows('SELECT * FROM transaction_grants WHERE scope LIKE ?', `${agentId}%`)
      const decided = await service.rows(
        'SELECT * FROM audit_records WHERE agent_id = ? AND session_id IS NOT NULL',
        stranger,
      )
      expect([counted.length, decided.length]).to.deep.equal([1, 0])
    })

    it('refuses the key with another body also when the response is repeated no longer, for a day', async () => {
      const key = randomUUID()
      await verify(key)
      now += HOUR_MS
      expect((await verify(key, { transactionValue: 2 })).body.code).to.equal('IDEMPOTENCY_CONFLICT')
      now += 23 * HOUR_MS + 1
      expect((await verify(key, { transactionValue: 2 })).body.recommendation).to.equal('grant')
    })
  })

  describe('after a crash', () => {
    const crashed = async (state: string, ageMs: number) => {
      const [key, body] = [randomUUID(), bodyOf()]
      await post(key, body)
      await service.rows(
        'UPDATE idempotency_keys SET state = ?, answer = NULL, kept = NULL, claimed_at = ? WHERE key = ?',
        state,
        now - ageMs,
        key,
      )
      await service.rows('DELETE FROM endpoints WHERE url = ?', body.counterpartyUrl)
      return post(key, body)
    }

    it('retries a request that had written nothing, once it has surely ended', async () => {
      expect((await crashed('running', 61_000)).status).to.equal(201)
      const early = await crashed('running', 1_000)
      expect([early.status, early.body.code]).to.deep.equal([409, 'IDEMPOTENCY_CONFLICT'])
      expect(early.headers.get('retry-after')).to.equal('1')
    })

    it('never repeats a request that had written something and stored no response', async () => {
      const { status, body } = await crashed('applied', 61_000)
      expect([status, body.code]).to.deep.equal([409, 'IDEMPOTENCY_CONFLICT'])
      expect(body.message).to.contain('look for what it made')
    })
  })
})
