import { expect } from 'chai'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

describe('the live boundary of an endpoint', () => {
  let service: StartedService
  let shop: Organisation
  let passkey: Awaited<ReturnType<typeof enrolPasskey>>
  let svceId: string

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    passkey = await enrolPasskey(service.baseUrl, shop.accessToken)
  })
  after(() => service.stop())
  beforeEach(async () => {
    svceId = await registerEndpoint(service.baseUrl, shop.apiKey, {
      pdlss: { purpose: { categories: ['shopping'] } },
    })
  })

  const put = async (body: object, bearer = shop.accessToken, elevation?: string) =>
    api(service.baseUrl, 'PUT', `/api/endpoints/${svceId}`, {
      bearer,
      body,
      headers: { 'x-svc-elevation': elevation ?? (await passkey.elevation()) },
    })
  const read = async () =>
    (await api(service.baseUrl, 'GET', `/api/endpoints/${svceId}`, { bearer: shop.apiKey })).body.endpoint

  it('is replaced entirely by a session with a fresh passkey, and applies to the next request', async () => {
    const { svcId } = await registerAgent(service.baseUrl)
    const verify = async () =>
      (
        await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
          bearer: shop.apiKey,
          body: { agentId: svcId, counterpartyId: svceId, purpose: 'read_data' },
        })
      ).body.recommendation
    expect(await verify()).to.equal('deny')
    const pdlss = { purpose: { categories: ['read_data'] }, limits: { maxCumulativeSpend: 10 } }
    const { status, body } = await put({ pdlss, name: 'Renamed' })
    expect(status).to.equal(200)
    expect(body.endpoint).to.deep.include({ pdlss, name: 'Renamed' })
    expect(await verify()).to.equal('grant')
  })

  it('cannot be changed by an API key, whatever it sends', async () => {
    const { status, body } = await put({ pdlss: {} }, shop.apiKey)
    expect([status, body.code]).to.deep.equal([403, 'SESSION_REQUIRED'])
    expect((await read()).pdlss).to.deep.equal({ purpose: { categories: ['shopping'] } })
  })

  it('cannot be changed without a passkey assertion of this session', async () => {
    const stranger = await createOrganisation(service.baseUrl)
    const theirs = await enrolPasskey(service.baseUrl, stranger.accessToken)
    for (const elevation of ['', 'nonsense', await theirs.elevation(), shop.accessToken]) {
      const { status } = await put({ pdlss: {} }, shop.accessToken, elevation)
      expect(status, elevation.slice(0, 8)).to.be.oneOf([401, 403])
    }
    expect((await read()).pdlss).to.deep.equal({ purpose: { categories: ['shopping'] } })
  })

  it('is rejected entirely for a misspelt rule, naming it', async () => {
    const { status, body } = await put({ pdlss: { purpose: { category: ['x'] } }, name: 'Renamed' })
    expect([status, body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
    expect(body.errors[0].pointer).to.contain('/pdlss/purpose')
    expect((await read()).name).to.equal('Shop')
  })

  it('has a new commitment in the log after each change, even back to an earlier state', async () => {
    const boundaries = [{}, { purpose: { categories: ['shopping'] } }]
    for (const pdlss of boundaries) await put({ pdlss })
    const { body } = await api(service.baseUrl, 'GET', `/api/activity?endpoint=${svceId}`, {
      bearer: shop.apiKey,
    })
    const hashes = await Promise.all(
      body.items.map(async ({ auditRecordId }: { auditRecordId: string }) => {
        const path = `/api/audit/records/${auditRecordId}`
        const { record } = (await api(service.baseUrl, 'GET', path, { bearer: shop.apiKey })).body
        return JSON.parse(Buffer.from(record.entry, 'base64').toString()).policyHashes.endpoint
      }),
    )
    expect(new Set(hashes).size).to.equal(3)
  })
})
