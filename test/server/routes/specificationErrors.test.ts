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

/** The rows of the specification's error table, and the errors of invalid input, through the whole service. */
describe('the errors of the specification', () => {
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

  it('rejects a request that has only an agent identifier with 401 agent_identity_not_a_credential', async () => {
    const response = await call('POST', VERIFY, {
      body: {},
      headers: { 'x-svc-id': 'SVC-0000000000000000000001' },
    })
    expect(seen(response)).to.deep.equal([401, 'agent_identity_not_a_credential'])
  })

  it('rejects an invalid credential and a session’s access token in place of an API key with 401', async () => {
    for (const bearer of ['svc_live_00000000000000000000000000000000', 'a.b.c', shop.accessToken]) {
      expect(seen(await call('POST', VERIFY, { bearer, body: {} }))).to.deep.equal([401, 'UNAUTHENTICATED'])
    }
  })

  it('rejects an API key that does not own the endpoint with 403 COUNTERPARTY_KEY_MISMATCH', async () => {
    const other = await createOrganisation(service.baseUrl)
    const response = await call('POST', VERIFY, { bearer: other.apiKey, body: { counterpartyId: svceId } })
    expect(seen(response)).to.deep.equal([403, 'COUNTERPARTY_KEY_MISMATCH'])
  })

  it('rejects a registration by the API key of an unverified developer with 403 KYD_REQUIRED', async () => {
    const response = await call('POST', REGISTER, { bearer: shop.apiKey, body: { name: 'Shopper' } })
    expect(seen(response)).to.deep.equal([403, 'KYD_REQUIRED'])
  })

  it('rejects an agent that reads its own record with 403', async () => {
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

  it('rejects an endpoint registered with a personal API key with 409 ORG_REQUIRED', async () => {
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

  it('rejects a URL that another account has claimed with 409', async () => {
    const other = await createOrganisation(service.baseUrl)
    const counterpartyUrl = `https://${randomUUID()}.acme.io`
    await registerEndpoint(service.baseUrl, shop.apiKey, { counterpartyUrl })
    const body = { counterpartyType: 'api', name: 'x', counterpartyUrl, trustScoreRequirement: 1 }
    expect(seen(await call('POST', '/api/endpoints', { bearer: other.apiKey, body }))).to.deep.equal([
      409,
      'URL_ALREADY_CLAIMED',
    ])
  })

  it('rejects a change of an endpoint’s boundary by API key with 403', async () => {
    const response = await call('PUT', `/api/endpoints/${svceId}`, {
      bearer: shop.apiKey,
      body: { pdlss: {} },
    })
    expect(seen(response)).to.deep.equal([403, 'SESSION_REQUIRED'])
  })

  it('rejects an API key that lists agents with 403', async () => {
    expect(seen(await call('GET', '/api/agents', { bearer: shop.apiKey }))).to.deep.equal([
      403,
      'SESSION_REQUIRED',
    ])
  })

  it('rejects requests beyond the API key’s budget with 429 and Retry-After', async () => {
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

  describe('a signed registration', () => {
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
        'an unknown time zone',
        named({ pdlss: { duration: { timezone: 'Mars/Olympus' } } }),
        400,
        'VALIDATION_ERROR',
      ],
      ['an unknown member of the boundary', named({ pdlss: { limit: {} } }), 400, 'VALIDATION_ERROR'],
      ['300 KiB', named({ description: 'x'.repeat(300 * 1024) }), 413, 'PAYLOAD_TOO_LARGE'],
    ]
    for (const [what, body, status, code] of bad) {
      it(`is rejected for ${what} and stores nothing`, async () => {
        expect(seen(await register(body))).to.deep.equal([status, code])
        expect(await agentsOfKey()).to.equal(0)
      })
    }

    it('is rejected for a stale signature, a signature over another request and a used nonce', async () => {
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

    /** The number of stored agents of the signer. */
    async function agentsOfKey(): Promise<number> {
      const sql = 'SELECT count(*) AS agents FROM agents WHERE signer_address = ?'
      const [row] = await service.rows<{ agents: number }>(sql, account.address.toLowerCase())
      return row?.agents ?? 0
    }
  })
})
