import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

describe('the facts that an endpoint requires', () => {
  let service: StartedService
  let shop: Organisation
  let agentId: string

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    agentId = (await registerAgent(service.baseUrl)).svcId
  })
  after(() => service.stop())

  const call = (method: string, path: string, body: object) =>
    api(service.baseUrl, method, path, { bearer: shop.apiKey, body })
  const verify = async (counterpartyId: string, fields: object = {}) =>
    (await call('POST', '/api/agents/verify-access', { agentId, counterpartyId, ...fields })).body

  it('are stated at registration or later, shown, and apply from the next request on', async () => {
    const svceId = await registerEndpoint(service.baseUrl, shop.apiKey, { requiredFacts: ['resource'] })
    expect((await verify(svceId)).access.failures[0].dimension).to.equal('endpoint.scope')
    expect((await verify(svceId, { resource: '/a' })).recommendation).to.equal('grant')
    const changed = await call('PUT', `/api/endpoints/${svceId}`, { requiredFacts: ['purpose'] })
    expect(changed.body.endpoint.requiredFacts).to.deep.equal(['purpose'])
    const denied = await verify(svceId, { resource: '/a' })
    expect(denied.access.failures[0].dimension).to.equal('endpoint.purpose')
    const path = `/api/audit/records/${denied.auditRecordId}/replay`
    expect((await call('POST', path, {})).body).to.include({ reproduced: true })
    await call('PUT', `/api/endpoints/${svceId}`, { requiredFacts: [] })
    expect((await verify(svceId)).recommendation).to.equal('grant')
  })

  it('are refused if they are not known', async () => {
    const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const { status, body } = await call('PUT', `/api/endpoints/${svceId}`, { requiredFacts: ['weather'] })
    expect([status, body.errors[0].pointer]).to.deep.equal([400, '/requiredFacts/0'])
  })
})
