import { expect } from 'chai'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  createOrganisation,
  registerAgent,
  signHeaders,
  type TestAgent,
} from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'
import { containsValue } from '../../../harness/values/containsValue.ts'

const MINUTE_MS = 60_000

describe('POST /api/agents/:id/token', () => {
  const time = { now: Date.now() }
  let service: StartedService
  let buyer: TestAgent

  before(async () => {
    service = await startService({ clock: () => time.now })
    buyer = await registerAgent(service.baseUrl, { pdlss: { limits: { autonomousThreshold: 4711 } } })
  })
  after(() => service?.stop())

  const seen = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const tokenFor = async ({ svcId, account }: TestAgent, changes: { path?: string } = {}) => {
    const path = `/api/agents/${svcId}/token`
    const timestamp = Math.floor(time.now / 1000)
    const signed = { method: 'POST', path, body: '', timestamp, ...changes }
    return api(service.baseUrl, 'POST', path, { headers: await signHeaders(account, signed) })
  }
  const read = (id: string, bearer: string) => api(service.baseUrl, 'GET', `/api/agents/${id}`, { bearer })

  it('gives a token of 15 minutes to the agent’s own key', async () => {
    const { status, body } = await tokenFor(buyer)
    expect([status, body.success, body.expiresIn]).to.deep.equal([200, true, 900])
    const claims = decodeJwt(body.agentToken)
    expect(claims).to.include({ sub: buyer.svcId, token_use: 'agent' })
    expect(Number(claims.exp) - Number(claims.iat)).to.equal(900)
    expect(decodeProtectedHeader(body.agentToken)).to.include({ alg: 'ES256', typ: 'agent+jwt' })
  })

  it('is a 403 when the agent reads its own record, by either identifier', async () => {
    const { agentToken } = (await tokenFor(buyer)).body
    const [row] = await service.rows<{ id: string }>('SELECT id FROM agents WHERE svc_id = ?', buyer.svcId)
    for (const id of [buyer.svcId, row?.id ?? '']) {
      const answer = await read(id, agentToken)
      expect(seen(answer)).to.deep.equal([403, 'FORBIDDEN'])
      expect(containsValue(JSON.stringify(answer.body), '4711.17')).to.equal(false)
    }
  })

  it('shows another agent like to any caller', async () => {
    const { agentToken } = (await tokenFor(buyer)).body
    const other = await registerAgent(service.baseUrl, { pdlss: { limits: { autonomousThreshold: 4711 } } })
    const answer = await read(other.svcId, agentToken)
    expect([answer.status, answer.body.agent.svcId]).to.deep.equal([200, other.svcId])
    expect(answer.body.agent).not.to.have.property('pdlss')
  })

  it('is not an access token, and expires', async () => {
    const { agentToken } = (await tokenFor(buyer)).body
    for (const path of ['/api/me', '/api/agents', '/api/activity', `/api/agents/${buyer.svcId}/card`]) {
      const answer = await api(service.baseUrl, 'GET', path, { bearer: agentToken })
      expect(seen(answer), path).to.deep.equal([401, 'UNAUTHENTICATED'])
    }
    time.now += 15 * MINUTE_MS
    expect(seen(await read(buyer.svcId, agentToken))).to.deep.equal([401, 'UNAUTHENTICATED'])
  })

  it('is refused to any other key, for a signature over other content, and to an API key', async () => {
    const stranger = { ...buyer, account: privateKeyToAccount(generatePrivateKey()) }
    expect(seen(await tokenFor(stranger))).to.deep.equal([403, 'FORBIDDEN'])
    const elsewhere = await tokenFor(buyer, { path: '/api/agents/register' })
    expect(seen(elsewhere)).to.deep.equal([401, 'invalid_signature'])
    const path = `/api/agents/${buyer.svcId}/token`
    const { apiKey, accessToken } = await createOrganisation(service.baseUrl)
    for (const bearer of [apiKey, accessToken]) {
      expect(seen(await api(service.baseUrl, 'POST', path, { bearer }))).to.deep.equal([
        401,
        'UNAUTHENTICATED',
      ])
    }
  })

  it('is not issued again for the same nonce', async () => {
    const path = `/api/agents/${buyer.svcId}/token`
    const timestamp = Math.floor(time.now / 1000)
    const headers = await signHeaders(buyer.account, { method: 'POST', path, body: '', timestamp })
    expect((await api(service.baseUrl, 'POST', path, { headers })).status).to.equal(200)
    const again = await api(service.baseUrl, 'POST', path, { headers })
    expect(seen(again)).to.deep.equal([401, 'nonce_reused'])
  })

  it('is refused to an inactive agent, and a 404 for an unknown one', async () => {
    const timestamp = Math.floor(time.now / 1000)
    const held = await registerAgent(service.baseUrl, {}, { timestamp })
    await service.rows(`UPDATE agents SET status = 'suspended' WHERE svc_id = ?`, held.svcId)
    expect(seen(await tokenFor(held))).to.deep.equal([409, 'INVALID_STATE'])
    const missing = { ...buyer, svcId: 'SVC-0000000000000000000000' }
    expect(seen(await tokenFor(missing))).to.deep.equal([404, 'NOT_FOUND'])
  })
})
