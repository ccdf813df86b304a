import { expect } from 'chai'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { createOrganisation } from '../../../builders/participants.ts'
import { postKyd } from '../../../builders/postKyd.ts'
import { OPERATOR_SETTINGS, signInOperator } from '../../../builders/signInOperator.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'
import { POLL, REQUESTS } from './openRequests.ts'

describe('a developer with a verified identity', () => {
  let service: StartedService
  const now = Date.parse('2026-11-21T12:00:00Z')

  before(async () => {
    service = await startService({ settings: OPERATOR_SETTINGS, clock: () => now })
  })
  after(() => service?.stop())

  it('can register agents by API key from the operator’s approval on', async () => {
    const call = (method: string, path: string, bearer: string, body?: object) =>
      api(service.baseUrl, method, path, { bearer, ...(body ? { body } : {}) })
    const reviewer = await signInOperator(service.baseUrl)
    const { accessToken, personalKey, apiKey } = await createOrganisation(service.baseUrl)
    const register = (key: string) => call('POST', '/api/agents/register', key, { name: 'Shopper' })
    const refused = async () => {
      for (const key of [personalKey, apiKey]) {
        const { status, body } = await register(key)
        expect([status, body.code]).to.deep.equal([403, 'KYD_REQUIRED'])
      }
    }
    await refused()
    expect((await postKyd(service.baseUrl, accessToken)).status).to.equal(201)
    await refused()
    const [waiting] = await service.rows<{ id: string }>('SELECT id FROM kyd_cases')
    expect((await reviewer.decide(waiting?.id ?? '')).status).to.equal(200)
    const { authenticator } = await enrolPasskey(service.baseUrl, accessToken)
    for (const key of [personalKey, apiKey]) {
      const asked = await register(key)
      expect(asked.status, JSON.stringify(asked.body)).to.equal(202)
      const path = `${REQUESTS}/${asked.body.requestId}`
      const { request } = (await call('GET', path, accessToken)).body
      const response = authenticator.assert(request.assertionOptions)
      expect((await call('POST', `${path}/approve`, accessToken, { response })).status).to.equal(200)
      const polled = await api(service.baseUrl, 'GET', `${POLL}/${asked.body.requestId}`)
      expect(polled.body.status).to.equal('approved')
    }
  })
})
