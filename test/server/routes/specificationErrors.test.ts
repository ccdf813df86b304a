import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../../builders/participants.ts'
import { type ApiAnswer, api } from '../../harness/service/api.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'

const VERIFY = '/api/agents/verify-access'
const REGISTER = '/api/agents/register'

/** The specification's error table, row by row, and what bad input gets, through the whole service. */
describe('the specification’s errors', () => {
  let service: StartedService
  let shop: Organisation
  let svceId: string

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
  })
  after(() => service?.stop())

  const call = (method: string, path: string, options: Parameters<typeof api>[3]) =>
    api(service.baseUrl, method, path, options)
  const seen = ({ status, body }: ApiAnswer<{ code: string; error: string; success: boolean }>) => {
    expect(body).to.deep.include({ success: false, error: body.code })
    return [status, body.code]
  }

  it('401 agent_identity_not_a_credential: only an agent identifier was offered', async () => {
    const answer = await call('POST', VERIFY, {
      body: {},
      headers: { 'x-svc-id': 'SVC-0000000000000000000001' },
    })
    expect(seen(answer)).to.deep.equal([401, 'agent_identity_not_a_credential'])
  })

  it('401: no valid credential, or a token that is not a full session’s access token', async () => {
    for (const bearer of ['svc_live_00000000000000000000000000000000', 'a.b.c', shop.accessToken]) {
      expect(seen(await call('POST', VERIFY, { bearer, body: {} }))).to.deep.equal([401, 'UNAUTHENTICATED'])
    }
  })

  it('403 COUNTERPARTY_KEY_MISMATCH: the key does not own the named endpoint', async () => {
    const other = await createOrganisation(service.baseUrl)
    const answer = await call('POST', VERIFY, { bearer: other.apiKey, body: { counterpartyId: svceId } })
    expect(seen(answer)).to.deep.equal([403, 'COUNTERPARTY_KEY_MISMATCH'])
  })

  it('403 KYD_REQUIRED: an agent is registered by API key without a developer identity', async () => {
    const answer = await call('POST', REGISTER, { bearer: shop.apiKey, body: { name: 'Shopper' } })
    expect(seen(answer)).to.deep.equal([403, 'KYD_REQUIRED'])
  })

  it('403: the agent reads its own record', async () => {
    const { svcId, account } = await registerAgent(service.baseUrl)
    const path = `/api/agents/${svcId}/token`
    const headers = await signHeaders(account, { method: 'POST', path, body: '' })
    const { agentToken } = (await call('POST', path, { headers })).body
    expect(seen(await call('GET', `/api/agents/${svcId}`, { bearer: agentToken }))).to.deep.equal([
      403,
      'FORBIDDEN',
    ])
    expect(seen(await call('POST', VERIFY, { bearer: agentToken, body: {} }))).to.deep.equal([
      401,
      'UNAUTHENTICATED',
    ])
  })

  it('409 ORG_REQUIRED: a personal API key registers an endpoint', async () => {
    const body = {
      counterpartyType: 'api',
      name: 'x',
      counterpartyUrl: 'https://x.acme.io',
      trustScoreRequirement: 1,
    }
    expect(seen(await call('POST', '/api/endpoints', { bearer: shop.personalKey, body }))).to.deep.equal([
      409,
      'ORG_REQUIRED',
    ])
  })

  it('409: a URL that another account has claimed', async () => {
    const other = await createOrganisation(service.baseUrl)
    const counterpartyUrl = `https://${randomUUID()}.acme.io`
    await registerEndpoint(service.baseUrl, shop.apiKey, { counterpartyUrl })
    const body = { counterpartyType: 'api', name: 'x', counterpartyUrl, trustScoreRequirement: 1 }
    expect(seen(await call('POST', '/api/endpoints', { bearer: other.apiKey, body }))).to.deep.equal([
      409,
      'URL_ALREADY_CLAIMED',
    ])
  })

  it('403: API keys do not change a live boundary', async () => {
    const answer = await call('PUT', `/api/endpoints/${svceId}`, { bearer: shop.apiKey, body: { pdlss: {} } })
    expect(seen(answer)).to.deep.equal([403, 'SESSION_REQUIRED'])
  })

  it('403: agents are listed for sessions only', async () => {
    expect(seen(await call('GET', '/api/agents', { bearer: shop.apiKey }))).to.deep.equal([
      403,
      'SESSION_REQUIRED',
    ])
  })

  it('429 with Retry-After: over the key’s budget', async () => {
    const limited = await startService({ settings: { VERIFY_RATE_PER_MINUTE: '3' } })
    try {
      const { apiKey } = await createOrganisation(limited.baseUrl)
      const own = await registerEndpoint(limited.baseUrl, apiKey)
      const ask = () =>
        api(limited.baseUrl, 'POST', VERIFY, { bearer: apiKey, body: { counterpartyId: own } })
      for (let n = 0; n < 3; n += 1) expect((await ask()).status).to.equal(200)
      const refused = await ask()
      expect(seen(refused)).to.deep.equal([429, 'RATE_LIMITED'])
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60)
      expect(refused.headers.get('ratelimit')).to.contain('r=0')
    } finally {
      await limited.stop()
    }
  })

  describe('bad input to a signed registration', () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const register = async (body: string, signed: Parameters<typeof signHeaders>[1] | object = {}) => {
      const headers = await signHeaders(account, { method: 'POST', path: REGISTER, body, ...signed })
      const response = await fetch(service.baseUrl + REGISTER, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    }
    const named = (fields: object) => JSON.stringify({ name: 'Shopper', ...fields })

    const bad: [what: string, body: string, status: number, code: string][] = [
      ['malformed JSON', '{"name":', 400, 'MALFORMED_JSON'],
      ['wrong types', JSON.stringify({ name: 7 }), 400, 'VALIDATION_ERROR'],
      [
        'an unknown zone',
        named({ pdlss: { duration: { timezone: 'Mars/Olympus' } } }),
        400,
        'VALIDATION_ERROR',
      ],
      ['an unknown key of the boundary', named({ pdlss: { limit: {} } }), 400, 'VALIDATION_ERROR'],
      ['300 KiB', named({ description: 'x'.repeat(300 * 1024) }), 413, 'PAYLOAD_TOO_LARGE'],
    ]
    for (const [what, body, status, code] of bad) {
      it(`refuses ${what}, and stores nothing`, async () => {
        expect(seen(await register(body))).to.deep.equal([status, code])
        expect(await agentsOfKey()).to.equal(0)
      })
    }

    it('refuses a stale signature, a signature over something else and a used nonce', async () => {
      const body = named({})
      const stale = { timestamp: Math.floor(Date.now() / 1000) - 301 }
      expect(seen(await register(body, stale))).to.deep.equal([401, 'signature_expired'])
      expect(seen(await register(body, { path: '/api/agents' }))).to.deep.equal([401, 'invalid_signature'])
      expect(await agentsOfKey()).to.equal(0)
      const nonce = randomUUID()
      expect((await register(body, { nonce })).status).to.equal(201)
      expect(seen(await register(body, { nonce }))).to.deep.equal([401, 'nonce_reused'])
      expect(await agentsOfKey()).to.equal(1)
    })

    /** How many agents the key has in the database. */
    async function agentsOfKey(): Promise<number> {
      const sql = 'SELECT count(*) AS agents FROM agents WHERE signer_address = ?'
      const [row] = await service.rows<{ agents: number }>(sql, account.address.toLowerCase())
      return row?.agents ?? 0
    }
  })
})
