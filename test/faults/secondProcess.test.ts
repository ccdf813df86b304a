import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../builders/participants.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

/** Two services over one data folder would assign the same record numbers and replay them onto two chains. */
describe('a data folder that is in use', () => {
  let first: StartedService
  before(async () => {
    first = await startService({ database: 'sqlite' })
  })
  after(() => first?.stop())

  it('rejects a second service and leaves the first one unaffected', async () => {
    const chain = await api(first.baseUrl, 'GET', '/api/chain')
    const refusal = await startService({ dataDir: first.dataDir, database: 'sqlite' }).then(
      async (second) => {
        await second.stop()
        return null
      },
      (error: Error) => error.message,
    )
    expect(refusal).to.equal(
      `Another process uses ${first.dataDir}: stop it, or set DATA_DIR to another folder`,
    )
    const shop = await createOrganisation(first.baseUrl)
    const counterpartyId = await registerEndpoint(first.baseUrl, shop.apiKey)
    const answer = await api(first.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { counterpartyId },
    })
    expect(answer.status).to.equal(200)
    expect((await api(first.baseUrl, 'GET', '/api/chain')).body).to.deep.equal(chain.body)
  })
})
