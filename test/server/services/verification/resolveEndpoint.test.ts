import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

describe('a counterparty named by its URL', () => {
  let service: StartedService
  let shop: Organisation
  let stranger: Organisation
  let agentId: string
  let host: string

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    stranger = await createOrganisation(service.baseUrl)
    agentId = (await registerAgent(service.baseUrl)).svcId
  })
  after(() => service.stop())
  beforeEach(() => {
    host = `${randomUUID()}.acme.io`
  })

  const closed = { pdlss: { scope: { deniedResources: ['/secret'] } } }
  const register = (path: string, fields: object = {}, by = shop) =>
    registerEndpoint(service.baseUrl, by.apiKey, { counterpartyUrl: `https://${host}${path}`, ...fields })
  const verify = async (counterpartyUrl: string, by = shop) =>
    (
      await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
        bearer: by.apiKey,
        body: { agentId, counterpartyUrl, resource: '/secret' },
      })
    ).body
  const dimensionsOf = ({ access }: { access: { failures?: { dimension: string }[] } }) =>
    access.failures?.map(({ dimension }) => dimension)
  const rowsOf = async () => (await service.rows('SELECT id FROM endpoints WHERE host = ?', host)).length

  it('is the claimed endpoint with the longest path that contains it, over either scheme', async () => {
    await register('/')
    await register('/api', closed)
    for (const url of [`https://${host}/api`, `https://${host}/api/v1/orders`, `http://${host}/api/v1?x=1`]) {
      expect(dimensionsOf(await verify(url)), url).to.deep.equal(['endpoint.scope'])
    }
    for (const url of [`https://${host}/`, `https://${host}/apis`, `https://${host}/other/api`]) {
      expect((await verify(url)).recommendation, url).to.equal('grant')
    }
    expect(await rowsOf()).to.equal(2)
  })

  it('belongs to the owner of the host also below the claimed path', async () => {
    await register('/api')
    expect(await verify(`https://${host}/api/v1`, stranger)).to.include({ code: 'COUNTERPARTY_KEY_MISMATCH' })
  })

  it('stays closed once its endpoint is archived, and below it', async () => {
    await register('/')
    const svceId = await register('/api')
    for (const step of ['deactivate', 'archive']) {
      const path = `/api/endpoints/${svceId}/${step}`
      const { status } = await api(service.baseUrl, 'POST', path, { bearer: shop.accessToken })
      expect(status, step).to.equal(200)
    }
    for (const url of [`https://${host}/api`, `https://${host}/api/v1`]) {
      expect(dimensionsOf(await verify(url)), url).to.deep.equal(['counterparty.status'])
    }
    expect((await verify(`https://${host}/`)).recommendation).to.equal('grant')
    await register('/api')
    expect((await verify(`https://${host}/api/v1`)).recommendation).to.equal('grant')
  })

  it('makes no second row below one that the account has discovered', async () => {
    await verify(`https://${host}/a`)
    await verify(`https://${host}/a/b/c`)
    await verify(`https://${host}/a/d`)
    expect(await rowsOf()).to.equal(1)
  })

  it('cannot be registered by another account anywhere on the host', async () => {
    await register('/api')
    for (const path of ['/', '/api/v1', '/elsewhere']) {
      for (const scheme of ['http', 'https']) {
        const body = { name: 'Squatter', counterpartyUrl: `${scheme}://${host}${path}` }
        const refused = await api(service.baseUrl, 'POST', '/api/endpoints', {
          bearer: stranger.apiKey,
          body,
        })
        expect([refused.status, refused.body.code], path).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
      }
    }
    expect(await register('/elsewhere')).to.match(/^SVCE-/)
  })
})
